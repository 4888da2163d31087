"""A page in the browser that shows a walking robot and lets a person steer it."""
