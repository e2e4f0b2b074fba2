-- The creator of a team token, and the user of a grant for a team, as `members.person` has them: what lists are sorted by and searched for
-- (docs/decisions/pagination.md#kept-names). NULL for personal tokens and other grants, which are found by their members.
-- The lock waits for transactions that rename users without updating the new columns, and keeps others from starting.
LOCK TABLE "users" IN SHARE MODE;
ALTER TABLE "access_tokens" ADD COLUMN "person" TEXT;
ALTER TABLE "oauth_grants" ADD COLUMN "person" TEXT;
UPDATE "access_tokens" SET "person" = lower(u."name") || E'\n' || u."email" FROM "users" u WHERE u."id" = "created_by_id" AND "team_id" IS NOT NULL;
UPDATE "oauth_grants" SET "person" = lower(u."name") || E'\n' || u."email" FROM "users" u WHERE u."id" = "user_id" AND "team_id" IS NOT NULL;

-- The kept name of a user to whom a column refers. The lock is that of the foreign key, but taken before the name is read: if another
-- transaction renames the user, this one waits. Two statements, because one that locks and reads would return the name from before it
-- waited. Refuses a user who does not exist before the foreign key does: one who is created between both would have no name.
CREATE FUNCTION "kept_person"(of_user uuid, of_table text, of_column text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = of_user FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'user % does not exist', of_user
            USING ERRCODE = 'foreign_key_violation', TABLE = of_table, CONSTRAINT = of_table || '_' || of_column || '_fkey';
    END IF;
    RETURN (SELECT lower("name") || E'\n' || "email" FROM "users" WHERE "id" = of_user);
END
$$;

CREATE OR REPLACE FUNCTION "members_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."person" := "kept_person"(NEW."user_id", 'members', 'user_id');
    RETURN NEW;
END
$$;

CREATE FUNCTION "access_tokens_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."team_id" IS NULL OR NEW."created_by_id" IS NULL THEN
        NEW."person" := NULL;
    ELSE
        NEW."person" := "kept_person"(NEW."created_by_id", 'access_tokens', 'created_by_id');
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION "oauth_grants_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."team_id" IS NULL THEN
        NEW."person" := NULL;
    ELSE
        NEW."person" := "kept_person"(NEW."user_id", 'oauth_grants', 'user_id');
    END IF;
    RETURN NEW;
END
$$;

-- The conditions save personal tokens, and grants without a team, the call of the function.
CREATE TRIGGER "access_tokens_person" BEFORE INSERT OR UPDATE OF "team_id", "created_by_id", "person" ON "access_tokens"
    FOR EACH ROW WHEN (NEW."team_id" IS NOT NULL OR NEW."person" IS NOT NULL) EXECUTE FUNCTION "access_tokens_person"();
CREATE TRIGGER "oauth_grants_person" BEFORE INSERT OR UPDATE OF "team_id", "user_id", "person" ON "oauth_grants"
    FOR EACH ROW WHEN (NEW."team_id" IS NOT NULL OR NEW."person" IS NOT NULL) EXECUTE FUNCTION "oauth_grants_person"();

CREATE OR REPLACE FUNCTION "users_renamed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."id" FOR UPDATE;
    UPDATE "members" SET "person" = '' WHERE "user_id" = NEW."id";
    UPDATE "access_tokens" SET "person" = '' WHERE "created_by_id" = NEW."id" AND "team_id" IS NOT NULL;
    UPDATE "oauth_grants" SET "person" = '' WHERE "user_id" = NEW."id" AND "team_id" IS NOT NULL;
    RETURN NULL;
END
$$;

-- The condition keeps personal tokens, and grants without a team, out of the indexes.
CREATE INDEX "access_tokens_team_id_person_id_idx" ON "access_tokens"("team_id", "person", "id") WHERE "team_id" IS NOT NULL;
CREATE INDEX "oauth_grants_team_id_person_id_idx" ON "oauth_grants"("team_id", "person", "id") WHERE "team_id" IS NOT NULL;

-- For renaming and deleting a user.
CREATE INDEX "access_tokens_created_by_id_idx" ON "access_tokens"("created_by_id");

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
    -- Not a column of "access_tokens_search": it would have an entry for each personal token.
    CREATE INDEX IF NOT EXISTS "access_tokens_person_search" ON "access_tokens"
        USING gin ("team_id", "person" gin_trgm_ops) WHERE "team_id" IS NOT NULL;
    CREATE INDEX IF NOT EXISTS "oauth_grants_person_search" ON "oauth_grants"
        USING gin ("team_id", "person" gin_trgm_ops) WHERE "team_id" IS NOT NULL;
    -- Every change inserts an entry. The one that finds 4 MB of entries not yet in the index, the default, adds them all.
    CREATE INDEX IF NOT EXISTS "audit_entries_search" ON "audit_entries"
        USING gin ("team_id", "action", "authentication_method", "actor_name" gin_trgm_ops, coalesce("subject_name", "subject") gin_trgm_ops)
        WITH (gin_pending_list_limit = 256);
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
