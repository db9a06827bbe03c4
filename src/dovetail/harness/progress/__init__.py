"""How far a run or a bench is, and how long the rest may take."""
