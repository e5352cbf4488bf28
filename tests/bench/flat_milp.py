# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""The flat problem of docs/planner.md as a mixed-integer program, solved by HiGHS: a rival and a judge of the planners.

    flat_milp.py CHAIN.json SECONDS BUDGET...

One binary z[i,o] a stage and option, one per stage; h[i] is 1 where x_i is held for a backward: where stage i+1 reads its
input or stage i its output; k[i] is what the stages before i hold, so that every row has the options of two stages at
most (with sums over all stages before in their place HiGHS takes up to thirty times as long).  Least total time such that
what is resident and what the op makes stays within the budget at every forward and every backward.  Bytes are counted in
millionths of the budget, so that HiGHS's tolerance of 1e-6 is less than a byte below a terabyte.

Prints a JSON object a budget: `status` (optimal, infeasible or unproved), `seconds` that HiGHS took, and of the best plan
that it found the `options`, one index a stage.
"""
import json
import multiprocessing
import sys
import time

import highspy
import numpy


class Program:
    """Columns and rows, and a call that hands them to HiGHS."""

    def __init__(self):
        self.cost, self.upper, self.is_whole, self.rows = [], [], [], []

    def column(self, cost=0.0, upper=1.0, is_whole=False):
        self.cost.append(cost)
        self.upper.append(upper)
        self.is_whole.append(is_whole)
        return len(self.cost) - 1

    def row(self, lower, upper, terms):
        self.rows.append((lower, upper, {c: v for c, v in terms.items() if v}))

    def highs(self, seconds):
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.cost), len(self.rows)
        lp.col_cost_, lp.col_upper_ = numpy.array(self.cost), numpy.array(self.upper)
        lp.col_lower_ = numpy.zeros(len(self.cost))
        lp.row_lower_ = numpy.array([lower for lower, _, _ in self.rows])
        lp.row_upper_ = numpy.array([upper for _, upper, _ in self.rows])
        matrix = lp.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = numpy.cumsum([0] + [len(terms) for _, _, terms in self.rows])
        matrix.index_ = numpy.array([c for _, _, terms in self.rows for c in terms])
        matrix.value_ = numpy.array([v for _, _, terms in self.rows for v in terms.values()])
        kinds = highspy.HighsVarType
        lp.integrality_ = [kinds.kInteger if whole else kinds.kContinuous for whole in self.is_whole]
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("time_limit", seconds)
        highs.setOptionValue("mip_rel_gap", 0.0)
        highs.setOptionValue("mip_abs_gap", 0.0)
        highs.setOptionValue("threads", 1)
        highs.passModel(lp)
        return highs


def solve(chain, budget, seconds):
    stages = chain["stages"]
    gradients = [s["weight_grad_bytes"] for s in stages]
    base = chain["base_bytes"]
    if base + sum(gradients) + chain.get("step_end_bytes", 0) > budget:
        return {"status": "infeasible", "seconds": 0.0, "options": []}
    unit = budget / 1e6
    inf = highspy.kHighsInf
    program = Program()
    # In milliseconds, which suits HiGHS's tolerances.
    z = [[program.column(o["backward_ns"] / 1e6, is_whole=True) for o in s["options"]] for s in stages]
    held = [program.column() for _ in stages]
    kept = [program.column(upper=inf) for _ in stages]
    for i, stage in enumerate(stages):
        program.row(1.0, 1.0, {c: 1.0 for c in z[i]})
        readers = [(i, "needs_output")] + ([(i + 1, "needs_input")] if i + 1 < len(stages) else [])
        for reader, flag in readers:
            terms = {c: 1.0 for c, o in zip(z[reader], stages[reader]["options"]) if o[flag]}
            if terms:
                program.row(-inf, 0.0, {**terms, held[i]: -1.0})

        terms = {kept[i]: 1.0}
        if i > 0:
            terms[kept[i - 1]] = -1.0
            terms[held[i - 1]] = -stages[i - 1]["out_bytes"] / unit
            for column, option in zip(z[i - 1], stages[i - 1]["options"]):
                terms[column] = -option["saved_bytes"] / unit
        program.row(0.0, 0.0, terms)

        forward = {kept[i]: 1.0}
        room = budget - base - stage["out_bytes"]
        if i > 0:  # x_{i-1} is there for the forward, held or not
            forward[held[i - 1]] = -stages[i - 1]["out_bytes"] / unit
            room -= stages[i - 1]["out_bytes"]
        backward = {kept[i]: 1.0}
        for column, option in zip(z[i], stage["options"]):
            output = stage["out_bytes"] if option["needs_output"] else 0
            forward[column] = (option["saved_bytes"] + option["forward_temp_bytes"]) / unit
            backward[column] = (option["saved_bytes"] + option["backward_temp_bytes"] + output) / unit
        program.row(-inf, room / unit, forward)
        room = budget - base - stage["grad_bytes"] - sum(gradients[i + 1 :])
        program.row(-inf, room / unit, backward)

    highs = program.highs(seconds)
    begin = time.perf_counter()
    highs.run()
    taken = time.perf_counter() - begin
    status = {
        highspy.HighsModelStatus.kInfeasible: "infeasible",
        highspy.HighsModelStatus.kOptimal: "optimal",
    }.get(highs.getModelStatus(), "unproved")
    options = []
    if highs.getInfo().primal_solution_status == 2:  # a feasible plan
        values = highs.getSolution().col_value
        options = [max(range(len(columns)), key=lambda o: values[columns[o]]) for columns in z]
    return {"status": status, "seconds": taken, "options": options}


def answer(sender, *question):
    sender.send(solve(*question))


def solve_in_time(chain, budget, seconds):
    """In a process of its own, because HiGHS does not look at the clock in all of its loops."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=answer, args=(sender, chain, budget, seconds))
    begin = time.perf_counter()
    process.start()
    if receiver.poll(2 * seconds):
        found = receiver.recv()
    else:
        process.terminate()
        found = {"status": "unproved", "seconds": time.perf_counter() - begin, "options": []}
    process.join()
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        chain = json.load(file)
    for budget in sys.argv[3:]:
        print(json.dumps(solve_in_time(chain, int(budget), float(sys.argv[2]))), flush=True)


if __name__ == "__main__":
    main()
