-- A job is added without waiting for the response, in which a missing queue would show. This function makes the transaction fail instead.
-- The table of queues belongs to pg-boss, which creates it after the migrations.
CREATE FUNCTION "require_job_queue"("queue" TEXT) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pgboss.queue q WHERE q.name = $1) THEN
    RAISE EXCEPTION 'the job queue % does not exist', "queue";
  END IF;
END $$;
