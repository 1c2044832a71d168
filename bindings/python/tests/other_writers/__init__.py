"""Other processes write to a file at random, and a store follows; what its lists show and deliver
is compared.

`run.Run` is one world made from one seed; `fuzz` runs one world after another and sums up.
"""
