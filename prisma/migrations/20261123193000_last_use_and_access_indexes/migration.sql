-- The hour of the last use, as a number. It is in indexes instead of the instant: while it stays the same, PostgreSQL updates the row
-- without touching any index (docs/decisions/pagination.md#last-use). Adding the column rewrites the table.
ALTER TABLE "access_tokens" ADD COLUMN "last_used_hour" INTEGER
    GENERATED ALWAYS AS (floor(extract(epoch FROM "last_used_at" AT TIME ZONE 'UTC') / 3600)::integer) STORED;
ALTER TABLE "oauth_grants" ADD COLUMN "last_used_hour" INTEGER
    GENERATED ALWAYS AS (floor(extract(epoch FROM "last_used_at" AT TIME ZONE 'UTC') / 3600)::integer) STORED;
CREATE INDEX "access_tokens_team_id_last_used_hour_id_idx" ON "access_tokens"("team_id", "last_used_hour", "id");
CREATE INDEX "access_tokens_last_used_hour_id_idx" ON "access_tokens"("last_used_hour", "id");

-- The grants of a team, and those of all users, in the order of each field. The indexes with a team replace that on the team alone.
DROP INDEX "oauth_grants_team_id_idx";
CREATE INDEX "oauth_grants_team_id_created_at_id_idx" ON "oauth_grants"("team_id", "created_at", "id");
CREATE INDEX "oauth_grants_team_id_expires_at_id_idx" ON "oauth_grants"("team_id", "expires_at", "id");
CREATE INDEX "oauth_grants_team_id_last_used_hour_id_idx" ON "oauth_grants"("team_id", "last_used_hour", "id");
CREATE INDEX "oauth_grants_created_at_id_idx" ON "oauth_grants"("created_at", "id");
CREATE INDEX "oauth_grants_expires_at_id_idx" ON "oauth_grants"("expires_at", "id");
CREATE INDEX "oauth_grants_last_used_hour_id_idx" ON "oauth_grants"("last_used_hour", "id");
CREATE INDEX "oauth_grants_scopes_idx" ON "oauth_grants" USING GIN ("scopes");
