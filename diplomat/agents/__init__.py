"""Players: what sits in a seat and answers.  Agents know neither games nor the table."""
