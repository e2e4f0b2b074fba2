-- The default is the same for all rows, so that the table is not written anew. What is overdue before this version stays without an email.
ALTER TABLE "invoices"
  ADD COLUMN "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "announces_issue" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "overdue_notified_at" TIMESTAMPTZ(3);

CREATE INDEX "invoices_to_announce" ON "invoices" ("id") WHERE "announces_issue";
-- An invoice that was overdue when it was recorded does not become so.
CREATE INDEX "invoices_to_become_overdue" ON "invoices" ("due_date")
    WHERE "status" = 'open' AND "overdue_notified_at" IS NULL AND "due_date" >= ("recorded_at" AT TIME ZONE 'UTC')::date;
