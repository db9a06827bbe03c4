"""Running a job: in this process, or in a child process that can be killed."""
