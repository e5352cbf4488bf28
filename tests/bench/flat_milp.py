# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""The flat problem of docs/planner.md as a mixed-integer program, solved by HiGHS: a rival and a judge of the flat planner.

    flat_milp.py CHAIN.json SECONDS BUDGET...

One binary z[i,o] a stage and option, one per stage; h[i] is 1 where x_i is held for a backward: where stage i+1 reads its
input or stage i its output.  Least total time such that what is resident and what the op makes stays within the budget at
every forward and every backward.  Bytes are counted in millionths of the budget, so that HiGHS's
tolerance of 1e-6 is less than a byte below a terabyte.
Prints of each budget a line: "optimal TIME_NS SECONDS", "infeasible - SECONDS" or "unproved - SECONDS".
"""
import json
import sys
import time

import highspy


def solve(chain, budget, seconds):
    stages = chain["stages"]
    n = len(stages)
    unit = budget / 1e6
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("time_limit", seconds)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", 0.0)
    highs.setOptionValue("threads", 1)
    inf = highspy.kHighsInf

    def variable(cost):
        column = highs.getNumCol()
        highs.addCol(cost, 0.0, 1.0, 0, [], [])
        return column

    def row(lower, upper, terms):
        terms = {c: v for c, v in terms.items() if v}
        highs.addRow(lower, upper, len(terms), list(terms), list(terms.values()))

    # In milliseconds; the answer's whole nanoseconds are added up in the end.
    z = [[variable(o["backward_ns"] / 1e6) for o in s["options"]] for s in stages]
    for columns in z:
        for column in columns:
            highs.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        row(1.0, 1.0, {c: 1.0 for c in columns})
    held = [variable(0.0) for _ in stages]

    def choosing(i, flag):
        """Terms whose sum is 1 where stage i's option has the flag."""
        return {c: 1.0 for c, o in zip(z[i], stages[i]["options"]) if o[flag]}

    for i in range(n):
        readers = [choosing(i, "needs_output")]
        if i + 1 < n:
            readers.append(choosing(i + 1, "needs_input"))
        for terms in readers:
            if terms:
                row(-inf, 0.0, {**terms, held[i]: -1.0})

    gradients = [s["weight_grad_bytes"] for s in stages]
    fixed = chain["base_bytes"]
    if fixed + sum(gradients) + chain.get("step_end_bytes", 0) > budget:
        return "infeasible", None
    for i, stage in enumerate(stages):
        before = {}  # interiors and outputs that earlier stages hold
        for j in range(i):
            for column, option in zip(z[j], stages[j]["options"]):
                before[column] = option["saved_bytes"] / unit
            before[held[j]] = stages[j]["out_bytes"] / unit
        forward = dict(before)
        room = budget - fixed - stage["out_bytes"]
        if i > 0:  # x_{i-1} is there for the forward, held or not
            del forward[held[i - 1]]
            room -= stages[i - 1]["out_bytes"]
        for column, option in zip(z[i], stage["options"]):
            forward[column] = (option["saved_bytes"] + option["forward_temp_bytes"]) / unit
        row(-inf, room / unit, forward)

        backward = dict(before)
        room = budget - fixed - stage["grad_bytes"] - sum(gradients[i + 1 :])
        for column, option in zip(z[i], stage["options"]):
            output = stage["out_bytes"] if option["needs_output"] else 0
            backward[column] = (option["saved_bytes"] + option["backward_temp_bytes"] + output) / unit
        row(-inf, room / unit, backward)

    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return "infeasible", None
    if status != highspy.HighsModelStatus.kOptimal:
        return "unproved", None
    values = highs.getSolution().col_value
    total = 0
    for stage, columns in zip(stages, z):
        chosen = max(range(len(columns)), key=lambda o: values[columns[o]])
        total += stage["forward_ns"] + stage["options"][chosen]["backward_ns"]
    return "optimal", total


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        chain = json.load(file)
    for budget in sys.argv[3:]:
        begin = time.perf_counter()
        status, total = solve(chain, int(budget), float(sys.argv[2]))
        print(status, total if total is not None else "-", f"{time.perf_counter() - begin:.6f}", flush=True)


if __name__ == "__main__":
    main()
