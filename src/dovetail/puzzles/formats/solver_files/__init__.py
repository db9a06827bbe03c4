"""Files for CP, SAT and pseudo-Boolean solvers, and the solutions that such solvers print."""
