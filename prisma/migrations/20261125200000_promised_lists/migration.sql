-- The cost of a page is promised for the lists of the REST API, and for people and audit entries in their default order
-- (docs/decisions/pagination.md#indexes). Other filters and orders read the rows of their team. What served them goes.

-- The names kept with tokens and grants.
DROP TRIGGER "access_tokens_person" ON "access_tokens";
DROP TRIGGER "oauth_grants_person" ON "oauth_grants";
DROP TRIGGER "oauth_grants_sort_name" ON "oauth_grants";
DROP TRIGGER "oauth_clients_renamed" ON "oauth_clients";
DROP FUNCTION "access_tokens_person"();
DROP FUNCTION "oauth_grants_person"();
DROP FUNCTION "oauth_grants_sort_name"();
DROP FUNCTION "oauth_clients_renamed"();

-- With the indexes on these columns.
ALTER TABLE "access_tokens" DROP COLUMN "person", DROP COLUMN "sort_name", DROP COLUMN "last_used_hour";
ALTER TABLE "oauth_grants" DROP COLUMN "person", DROP COLUMN "sort_name", DROP COLUMN "last_used_hour";
ALTER TABLE "users" DROP COLUMN "last_active_hour";

DROP INDEX "access_tokens_expires_at_id_idx";
DROP INDEX "access_tokens_revoked";
DROP INDEX "access_tokens_team_id_expires_at_id_idx";
DROP INDEX "audit_entries_action_at_idx";
DROP INDEX "audit_entries_actor_name_at_idx";
DROP INDEX "audit_entries_team_id_action_at_idx";
DROP INDEX "audit_entries_team_id_actor_name_at_idx";
DROP INDEX "audit_entries_team_id_authentication_method_at_idx";
DROP INDEX "invitations_pending_by_expiry";
DROP INDEX "invitations_pending_by_id";
DROP INDEX "invitations_pending_by_role";
DROP INDEX "invitations_team_id_email_id_idx";
DROP INDEX "invitations_team_id_sent_at_id_idx";
DROP INDEX "invitations_team_id_status_created_at_id_idx";
DROP INDEX "invoices_by_total";
DROP INDEX "invoices_team_id_currency_invoice_date_id_idx";
DROP INDEX "invoices_team_id_due_date_id_idx";
DROP INDEX "invoices_team_id_status_due_date_idx";
DROP INDEX "invoices_team_id_status_invoice_date_id_idx";
DROP INDEX "oauth_grants_created_at_id_idx";
DROP INDEX "oauth_grants_expires_at_id_idx";
DROP INDEX "oauth_grants_scopes_idx";
DROP INDEX "oauth_grants_team_id_expires_at_id_idx";
DROP INDEX "teams_created_at_id_idx";
DROP INDEX "teams_deleted_idx";
DROP INDEX "teams_name_id_idx";
DROP INDEX "users_created_at_id_idx";
DROP INDEX "users_disabled_idx";
DROP INDEX "users_name_id_idx";
DROP INDEX "users_staff_idx";
-- The clean-up finds old entries with the index on the time and the identifier.
DROP INDEX "audit_entries_at_idx";

-- The indexes of text searches, and the modules that had to be there for them.
DROP FUNCTION "create_search_indexes"();
DROP INDEX IF EXISTS "access_tokens_search";
DROP INDEX IF EXISTS "audit_entries_search";
DROP INDEX IF EXISTS "invitations_search";
DROP INDEX IF EXISTS "invoices_search";
DROP INDEX IF EXISTS "members_search";
DROP INDEX IF EXISTS "teams_search";
DROP INDEX IF EXISTS "users_search";
ALTER TABLE "members" ALTER COLUMN "person" SET STATISTICS -1;
ALTER TABLE "audit_entries" ALTER COLUMN "actor_name" SET STATISTICS -1;
-- An administrator of the server may have created them, or need them for something else.
DO $$
BEGIN
    DROP EXTENSION IF EXISTS "btree_gin", "pg_trgm";
EXCEPTION WHEN insufficient_privilege OR dependent_objects_still_exist THEN
    NULL;
END
$$;

-- The pending invitations among the people of a team, in the default order.
CREATE INDEX "invitations_pending" ON "invitations"("team_id", "sent_at", "id") WHERE "status" = 'pending';

-- The kept name of a user: the name in lower case, a line feed, the address. What people are sorted by and searched in.
CREATE FUNCTION "kept_name"("name" TEXT, "email" TEXT) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT lower("name") || E'\n' || "email"
$$;

-- The lock is that of the foreign key, but taken before the name is read: if another transaction renames the user, this one waits. Two
-- statements, because one that locks and reads would return the name from before it waited. Refuses a user who does not exist before the
-- foreign key does: one who is created between both would have no name.
CREATE OR REPLACE FUNCTION "members_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."user_id" FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'user % does not exist', NEW."user_id"
            USING ERRCODE = 'foreign_key_violation', TABLE = 'members', CONSTRAINT = 'members_user_id_fkey';
    END IF;
    SELECT "kept_name"("name", "email") INTO NEW."person" FROM "users" WHERE "id" = NEW."user_id";
    RETURN NEW;
END
$$;
DROP FUNCTION "kept_person"(uuid, text, text);

CREATE OR REPLACE FUNCTION "users_renamed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."id" FOR UPDATE;
    UPDATE "members" SET "person" = '' WHERE "user_id" = NEW."id";
    RETURN NULL;
END
$$;
DROP TRIGGER "users_renamed" ON "users";
CREATE TRIGGER "users_renamed" AFTER UPDATE OF "name", "email" ON "users"
    FOR EACH ROW WHEN ("kept_name"(OLD."name", OLD."email") <> "kept_name"(NEW."name", NEW."email"))
    EXECUTE FUNCTION "users_renamed"();

-- The users who have two-factor authentication: an authenticator app, or passkeys together with recovery codes. A user who added a passkey
-- to sign in without the password did not ask for a second factor.
CREATE VIEW "users_with_two_factor" AS
    SELECT u."id" FROM "users" u WHERE u."totp_secret" IS NOT NULL
        OR EXISTS (SELECT FROM "passkeys" WHERE "user_id" = u."id") AND EXISTS (SELECT FROM "recovery_codes" WHERE "user_id" = u."id");

-- A function for the statements of every request, which rarely need it: PostgreSQL prepares a subquery for each execution, even one that
-- is not reached.
CREATE OR REPLACE FUNCTION "has_two_factor"("person" UUID) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "users_with_two_factor" WHERE "id" = "person");
END $$;
