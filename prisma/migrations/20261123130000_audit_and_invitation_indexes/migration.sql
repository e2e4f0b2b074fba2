-- Text searches of audit entries and invitations, and filters of staff by action or authentication method that few entries match
-- (docs/decisions/pagination.md#kept-counts). A condition on any part of such an index can use it.
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
        USING gin (("name" || E'\n' || coalesce("last_four", '')) gin_trgm_ops);
    -- Every change inserts an entry. The one that finds 4 MB of entries not yet in the index, the default, adds them all.
    CREATE INDEX IF NOT EXISTS "audit_entries_search" ON "audit_entries"
        USING gin ("team_id", "action", "authentication_method", "actor_name" gin_trgm_ops, coalesce("subject_name", "subject") gin_trgm_ops)
        WITH (gin_pending_list_limit = 256);
    CREATE INDEX IF NOT EXISTS "invitations_search" ON "invitations" USING gin ("team_id", "email" gin_trgm_ops);
    -- A finer histogram: PostgreSQL estimates from it how many entries contain a text. The fifth column is an expression of the index.
    ALTER INDEX "audit_entries_search" ALTER COLUMN 5 SET STATISTICS 1000;
    RETURN NULL;
EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_file THEN
    RETURN SQLERRM;
END
$$;

SELECT "create_search_indexes"();
ALTER TABLE "audit_entries" ALTER COLUMN "actor_name" SET STATISTICS 1000;

-- The entries of a team by actor, and those of all teams by action.
CREATE INDEX "audit_entries_team_id_actor_name_at_idx" ON "audit_entries"("team_id", "actor_name", "at");
CREATE INDEX "audit_entries_action_at_idx" ON "audit_entries"("action", "at");

-- The entries about an object, of its team and of all teams. Both columns are compared with one value, so their order costs a team nothing.
DROP INDEX "audit_entries_team_id_subject_idx";
CREATE INDEX "audit_entries_subject_team_id_idx" ON "audit_entries"("subject", "team_id");

-- The invitations of a team by status, and in the order of each field.
CREATE INDEX "invitations_team_id_status_created_at_id_idx" ON "invitations"("team_id", "status", "created_at", "id");
CREATE INDEX "invitations_team_id_email_id_idx" ON "invitations"("team_id", "email", "id");
CREATE INDEX "invitations_team_id_sent_at_id_idx" ON "invitations"("team_id", "sent_at", "id");
