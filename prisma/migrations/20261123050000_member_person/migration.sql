-- The user's name in lower case, and the address: what members are sorted by and searched for, in the table of the members, because no
-- index spans two tables (docs/decisions/pagination.md#kept-names). A trigger replaces whatever a statement writes into the column.
ALTER TABLE "members" ADD COLUMN     "person" TEXT NOT NULL DEFAULT '';

UPDATE "members" SET "person" = lower(u."name") || E'\n' || u."email" FROM "users" u WHERE u."id" = "members"."user_id";

-- The lock is that of the foreign key, but taken before the name is read: if another transaction renames the user, this one waits. Two
-- statements, because one that locks and reads would return the name that it found before it waited. Without the user, the foreign key
-- refuses the row.
CREATE FUNCTION "members_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."user_id" FOR KEY SHARE;
    SELECT lower("name") || E'\n' || "email" INTO NEW."person" FROM "users" WHERE "id" = NEW."user_id";
    NEW."person" := coalesce(NEW."person", '');
    RETURN NEW;
END
$$;

CREATE TRIGGER "members_person" BEFORE INSERT OR UPDATE OF "user_id", "person" ON "members"
    FOR EACH ROW EXECUTE FUNCTION "members_person"();

-- FOR UPDATE waits for the transactions that read the previous name for a new membership, and makes later ones wait for this one. The
-- lock of the UPDATE alone does neither, since no key changes.
CREATE FUNCTION "users_renamed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."id" FOR UPDATE;
    UPDATE "members" SET "person" = '' WHERE "user_id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE TRIGGER "users_renamed" AFTER UPDATE OF "name", "email" ON "users"
    FOR EACH ROW WHEN (lower(OLD."name") <> lower(NEW."name") OR OLD."email" <> NEW."email")
    EXECUTE FUNCTION "users_renamed"();
