# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""The command line as the tests start it: in a home of its own, and what it exports loaded as a module."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

REMAT = os.path.join(os.environ.get("REMAT_BIN", ""), "remat")
if not os.path.exists(REMAT):
    print(f"Skipped: {REMAT} is not built.")
    sys.exit(77)


def load(path):
    """An exported file as a module."""
    spec = importlib.util.spec_from_file_location("exported", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CommandLineTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.environment = {**os.environ, "HOME": cls.folder.name, "XDG_CACHE_HOME": cls.folder.name, "XDG_CONFIG_HOME": cls.folder.name}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def remat(self, *arguments):
        return subprocess.run([REMAT, *map(str, arguments)], env=self.environment, capture_output=True, text=True, check=False)

    def write_config(self, config):
        """The config.json of a transformers configuration: its path."""
        with open(self.path("config.json"), "w", encoding="utf-8") as file:
            json.dump(config.to_dict(), file)
        return self.path("config.json")

    def exported(self, plan):
        """A plan file for PyTorch, and its exported module."""
        result = self.remat("export", plan, "--to", "pytorch", "--out", self.path("exported.py"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(plan, encoding="utf-8") as file:
            return json.load(file), load(self.path("exported.py"))
