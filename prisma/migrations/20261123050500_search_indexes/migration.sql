-- Orders of the lists of members and of staff.
CREATE INDEX "members_team_id_person_user_id_idx" ON "members"("team_id", "person", "user_id");
CREATE INDEX "users_name_id_idx" ON "users"(lower("name"), "id");
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");
CREATE INDEX "teams_name_id_idx" ON "teams"(lower("name"), "id");
CREATE INDEX "teams_created_at_id_idx" ON "teams"("created_at", "id");
CREATE INDEX "access_tokens_created_at_id_idx" ON "access_tokens"("created_at", "id");
CREATE INDEX "access_tokens_name_id_idx" ON "access_tokens"("name", "id");
CREATE INDEX "access_tokens_expires_at_id_idx" ON "access_tokens"("expires_at", "id");

-- Filters of staff that few rows match.
CREATE INDEX "users_staff_idx" ON "users"("id") WHERE "staff";
CREATE INDEX "users_disabled_idx" ON "users"("id") WHERE "disabled_at" IS NOT NULL;
CREATE INDEX "teams_deleted_idx" ON "teams"("id") WHERE "deleted_at" IS NOT NULL;

-- A finer histogram: PostgreSQL estimates from it how many names contain a text.
ALTER TABLE "members" ALTER COLUMN "person" SET STATISTICS 1000;

-- The indexes of text searches (docs/decisions/pagination.md#text-search). `pg_trgm` and `btree_gin` are modules of PostgreSQL that the owner of
-- a database may turn on. The expressions are those of the lists in schema/: PostgreSQL uses an index only for the same expression.
-- On a server without the modules, searches work without indexes, and `cli doctor` reports it. Returns the reason.
CREATE FUNCTION "create_search_indexes"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX IF NOT EXISTS "members_search" ON "members"
        USING gin ("team_id", "person" gin_trgm_ops, "all_applications", "applications");
    CREATE INDEX IF NOT EXISTS "invoices_search" ON "invoices" USING gin ("team_id", "number" gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "users_search" ON "users" USING gin (("name" || E'\n' || "email") gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "teams_search" ON "teams" USING gin (("slug" || E'\n' || "name") gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "access_tokens_search" ON "access_tokens"
        USING gin (("name" || E'\n' || coalesce("last_four", '')) gin_trgm_ops);
    RETURN NULL;
EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_file THEN
    RETURN SQLERRM;
END
$$;

SELECT "create_search_indexes"();
