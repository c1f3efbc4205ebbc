"""What pipelines do beside their runs, and what they tell at a terminal; only here and in pipelines is there one."""
