"""The parts of a report that show exhibits, and the figures behind them."""
