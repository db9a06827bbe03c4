"""The backend `cpsat`: OR-Tools CP-SAT, on several formulations."""
