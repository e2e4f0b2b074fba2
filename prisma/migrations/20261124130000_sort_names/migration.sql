-- What tokens and grants are sorted by, in one column name, because a list contains both: their name, or that of the client, in lower case
-- (docs/decisions/pagination.md#kept-names). Adding the generated column rewrites the table.
ALTER TABLE "access_tokens" ADD COLUMN "sort_name" TEXT GENERATED ALWAYS AS (lower("name")) STORED;
DROP INDEX "access_tokens_team_id_name_id_idx";
DROP INDEX "access_tokens_name_id_idx";
CREATE INDEX "access_tokens_team_id_sort_name_id_idx" ON "access_tokens"("team_id", "sort_name", "id");
CREATE INDEX "access_tokens_sort_name_id_idx" ON "access_tokens"("sort_name", "id");

ALTER TABLE "oauth_grants" ADD COLUMN "sort_name" TEXT NOT NULL DEFAULT '';
UPDATE "oauth_grants" g SET "sort_name" = lower(c."name") FROM "oauth_clients" c WHERE c."id" = g."oauth_client_id";
CREATE INDEX "oauth_grants_team_id_sort_name_id_idx" ON "oauth_grants"("team_id", "sort_name", "id");
CREATE INDEX "oauth_grants_sort_name_id_idx" ON "oauth_grants"("sort_name", "id");

-- As "members_person": a trigger replaces whatever a statement writes, and locks the client before it reads the name.
CREATE FUNCTION "oauth_grants_sort_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "oauth_clients" WHERE "id" = NEW."oauth_client_id" FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'client % does not exist', NEW."oauth_client_id"
            USING ERRCODE = 'foreign_key_violation', TABLE = 'oauth_grants', CONSTRAINT = 'oauth_grants_oauth_client_id_fkey';
    END IF;
    SELECT lower("name") INTO NEW."sort_name" FROM "oauth_clients" WHERE "id" = NEW."oauth_client_id";
    RETURN NEW;
END
$$;

CREATE TRIGGER "oauth_grants_sort_name" BEFORE INSERT OR UPDATE OF "oauth_client_id", "sort_name" ON "oauth_grants"
    FOR EACH ROW EXECUTE FUNCTION "oauth_grants_sort_name"();

-- As "users_renamed". Only the command line renames a client.
CREATE FUNCTION "oauth_clients_renamed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "oauth_clients" WHERE "id" = NEW."id" FOR UPDATE;
    UPDATE "oauth_grants" SET "sort_name" = '' WHERE "oauth_client_id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE TRIGGER "oauth_clients_renamed" AFTER UPDATE OF "name" ON "oauth_clients"
    FOR EACH ROW WHEN (lower(OLD."name") <> lower(NEW."name"))
    EXECUTE FUNCTION "oauth_clients_renamed"();
