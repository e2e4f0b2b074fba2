-- The name of the client in lower case, by which grants are sorted (docs/decisions/pagination.md#kept-names). The next migration writes it for
-- existing grants. A trigger replaces whatever a statement writes, as "members_person" does, and locks the client before it reads the name.
ALTER TABLE "oauth_grants" ADD COLUMN "sort_name" TEXT NOT NULL DEFAULT '';

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
