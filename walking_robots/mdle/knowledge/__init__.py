"""The knowledge base: functions, laws, guards and atoms that programs are made of."""
