-- Searches and rare scopes and kinds of tokens, of a team and for staff, with one index (docs/decisions/pagination.md#text-search). No index
-- contains the last use, which PostgreSQL can therefore update without touching the others.
DROP INDEX IF EXISTS "access_tokens_search";
CREATE OR REPLACE FUNCTION "create_search_indexes"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX IF NOT EXISTS "members_search" ON "members"
        USING gin ("team_id", "person" gin_trgm_ops, "all_applications", "applications");
    CREATE INDEX IF NOT EXISTS "invoices_search" ON "invoices" USING gin ("team_id", "number" gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "users_search" ON "users" USING gin (("name" || E'\n' || "email") gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "teams_search" ON "teams" USING gin (("slug" || E'\n' || "name") gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "access_tokens_search" ON "access_tokens"
        USING gin ("team_id", "kind", "scopes", ("name" || E'\n' || coalesce("last_four", '')) gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "audit_entries_search" ON "audit_entries"
        USING gin ("team_id", "action", "authentication_method", "actor_name" gin_trgm_ops, coalesce("subject_name", "subject") gin_trgm_ops);
    CREATE INDEX IF NOT EXISTS "invitations_search" ON "invitations" USING gin ("team_id", "email" gin_trgm_ops);
    -- A finer histogram: PostgreSQL estimates from it how many rows contain a text. Columns of an index that are expressions have numbers.
    ALTER INDEX "audit_entries_search" ALTER COLUMN 5 SET STATISTICS 1000;
    ALTER INDEX "users_search" ALTER COLUMN 1 SET STATISTICS 1000;
    RETURN NULL;
EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_file THEN
    RETURN SQLERRM;
END
$$;

SELECT "create_search_indexes"();

-- The tokens of a team by name and expiry. PostgreSQL finds those of staff in the indexes without the team.
CREATE INDEX "access_tokens_team_id_name_id_idx" ON "access_tokens"("team_id", "name", "id");
CREATE INDEX "access_tokens_team_id_expires_at_id_idx" ON "access_tokens"("team_id", "expires_at", "id");
