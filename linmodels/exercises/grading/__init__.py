"""The machinery of the exercises: how an answer is compared, a mistake named, a verdict worded."""
