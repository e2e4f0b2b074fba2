-- When the user was last active, for the order of people. It is kept, because no index spans sessions, tokens and grants. The index
-- contains the hour, like those of the last use (docs/decisions/pagination.md#last-use). Adding the column rewrites the table.
ALTER TABLE "users" ADD COLUMN "last_active_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD COLUMN "last_active_hour" INTEGER
    GENERATED ALWAYS AS (floor(extract(epoch FROM "last_active_at" AT TIME ZONE 'UTC') / 3600)::integer) STORED;
CREATE INDEX "users_last_active_hour_id_idx" ON "users"("last_active_hour", "id");
