import os
import resource
import subprocess
import sys
import unittest

from program import SOBA, ProgramTest


class Reading(ProgramTest):
    def test_an_error_does_not_wait_for_a_pipe_that_falls_silent(self):
        pipe = self.path("pipe.libsvm")
        os.mkfifo(pipe)
        process = subprocess.Popen(
            [SOBA, "run", pipe, "--learner", "banditron", "--labels", "1,2"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        writer = os.open(pipe, os.O_RDWR)  # does not wait for a reader
        self.addCleanup(os.close, writer)
        os.write(writer, b"1 1:1\n2 2:1\n1 x\n")
        _, errors = process.communicate(timeout=60)  # the pipe is still open
        self.assertEqual(process.returncode, 3, errors)
        self.assertRegex(errors, r"pipe\.libsvm:3:")

    def test_without_threads_results_are_the_same(self):
        def no_thread_has_room_for_its_stack():
            hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
            resource.setrlimit(resource.RLIMIT_STACK, (2**45, hard))

        probe = [sys.executable, "-c", "import threading; threading.Thread(target=print).start()"]
        try:
            found = subprocess.run(probe, capture_output=True, preexec_fn=no_thread_has_room_for_its_stack)
        except subprocess.SubprocessError:
            self.skipTest("the limit of the stack cannot be raised")
        if found.returncode == 0:
            self.skipTest("threads have room for any stack")
        start = subprocess.run([SOBA, "--version"], capture_output=True, text=True,
                               preexec_fn=no_thread_has_room_for_its_stack)
        if "FATAL: ThreadSanitizer: unexpected memory mapping" in start.stderr:
            self.skipTest("the thread sanitizer does not bear such a stack")
        lines = [f"{i % 3} {1 + i % 50}:1 {60 + i % 7}:0.5\n" for i in range(700_000)]
        text = self.write("large.libsvm", "".join(lines))  # looked at in pieces
        self.assertGreater(os.path.getsize(text), 8 << 20)
        small = self.write("small.libsvm", "".join(lines[:7000]))
        packed = self.path("small.libsvm.gz")
        self.ok("convert", small, packed)
        cache = self.path("small.soba")
        self.ok("convert", small, cache)
        for data in (text, packed, cache):
            arguments = ["run", data, "--learner", "sobadiag"]
            expected = self.json(*arguments)
            # OpenBLAS does not bear being refused a thread.
            done = subprocess.run([SOBA, *arguments, "--json"], capture_output=True, text=True,
                                  env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, timeout=60,
                                  preexec_fn=no_thread_has_room_for_its_stack)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f'"mistakes": {expected["mistakes"]},', done.stdout)


if __name__ == "__main__":
    unittest.main()
