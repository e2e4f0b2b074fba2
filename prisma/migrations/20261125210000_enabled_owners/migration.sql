-- Whether a team has an owner with an enabled account, other than the user "without". A disabled account can sign in to nothing, so it
-- does not count as an owner who remains.
CREATE FUNCTION "has_enabled_owner"("team" UUID, "without" UUID DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM "members" m JOIN "users" u ON u."id" = m."user_id"
        WHERE m."team_id" = "team" AND m."role" = 'owner' AND m."user_id" IS DISTINCT FROM "without" AND u."disabled_at" IS NULL);
END
$$;

-- A write that leaves the role owner as it was, such as the repeated import of a team whose owners are all disabled, takes no owner away.
CREATE OR REPLACE FUNCTION "members_last_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_deleted boolean;
BEGIN
    SELECT "deleted_at" IS NOT NULL INTO is_deleted FROM "teams" WHERE "id" = OLD."team_id" FOR NO KEY UPDATE;
    IF NOT FOUND OR is_deleted OR "has_enabled_owner"(OLD."team_id")
        OR EXISTS (SELECT FROM "members" WHERE "team_id" = OLD."team_id" AND "user_id" = OLD."user_id" AND "role" = 'owner') THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'team % would be left without an owner', OLD."team_id"
        USING ERRCODE = 'check_violation', TABLE = 'members', CONSTRAINT = 'members_last_owner';
END
$$;

CREATE OR REPLACE FUNCTION "teams_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."deleted_at" IS NOT NULL THEN
        UPDATE "invitations" SET "status" = 'revoked', "answered_at" = NEW."deleted_at" WHERE "team_id" = NEW."id" AND "status" = 'pending';
    ELSIF NOT "has_enabled_owner"(NEW."id") THEN
        RAISE EXCEPTION 'team % would be restored without an owner', NEW."id"
            USING ERRCODE = 'check_violation', TABLE = 'members', CONSTRAINT = 'members_last_owner';
    END IF;
    RETURN NULL;
END
$$;
