"""Memory stays bounded over 10^7 streamed rounds, from a generator and from a pipe of text."""
import json
import os
import subprocess
import unittest

SOBA = os.environ["SOBA"]
ROUNDS = 10_000_000


class Memory(unittest.TestCase):
    def check(self, result):
        self.assertEqual(result["rounds"], ROUNDS)
        self.assertLess(result["peak_memory_bytes"], 64e6)
        self.assertLess(result["error"], 0.065)

    def test_a_generator(self):
        output = subprocess.run([SOBA, "run", f"synnonsep:n={ROUNDS}", "--learner", "sobadiag",
                                 "--gamma", "2^-6", "--json", "--quiet"],
                                check=True, capture_output=True).stdout
        self.check(json.loads(output))

    def test_a_pipe(self):
        generate = subprocess.Popen([SOBA, "generate", f"synnonsep:n={ROUNDS}"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output = subprocess.run([SOBA, "run", "-", "--format", "libsvm", "--classes", "9",
                                 "--learner", "sobadiag", "--gamma", "2^-6", "--json", "--quiet"],
                                stdin=generate.stdout, check=True, capture_output=True).stdout
        generate.stdout.close()
        self.assertEqual(generate.wait(), 0)
        self.check(json.loads(output))


if __name__ == "__main__":
    unittest.main()
