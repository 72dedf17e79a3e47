"""What is returned: bounds, results and tables, and how they are printed."""
