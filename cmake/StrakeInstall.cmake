# What `make install` and `make package` put on a machine.
