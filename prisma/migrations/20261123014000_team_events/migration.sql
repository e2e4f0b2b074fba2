-- The transaction of each audit entry, which is the order of events. Entries that exist are older than any other; a constant
-- default does not rewrite the table.
ALTER TABLE "audit_entries" ADD COLUMN     "transaction_id" xid8 NOT NULL DEFAULT '0';
ALTER TABLE "audit_entries" ALTER COLUMN "transaction_id" SET DEFAULT pg_current_xact_id();

-- CreateIndex
CREATE INDEX "audit_entries_team_id_transaction_id_at_id_idx" ON "audit_entries"("team_id", "transaction_id", "at", "id");

-- CreateTable
CREATE TABLE "team_event_streams" (
    "team_id" UUID NOT NULL,
    "open_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_event_streams_pkey" PRIMARY KEY ("team_id")
);

-- Notifies the processes that deliver the events of a team. Only if there are any: PostgreSQL commits transactions that notify one
-- after the other, and a change must not wait for others without need.
CREATE FUNCTION "notify_team_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "team_event_streams" WHERE "team_id" = NEW."team_id" AND "open_until" > now()) THEN
        PERFORM pg_notify('team_events', NEW."team_id"::text);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "notify_team_event"
    AFTER INSERT ON "audit_entries"
    FOR EACH ROW WHEN (NEW."team_id" IS NOT NULL)
    EXECUTE FUNCTION "notify_team_event"();
