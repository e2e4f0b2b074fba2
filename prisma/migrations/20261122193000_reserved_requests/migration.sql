-- What the last statement reserved for its process. RETURNING has no access to the row before the update.
ALTER TABLE "request_counts" ADD COLUMN "reserved" INTEGER NOT NULL DEFAULT 0;
