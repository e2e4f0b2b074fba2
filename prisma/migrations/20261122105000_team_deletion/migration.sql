-- A team is deleted in two steps: `deleted_at` hides it from every interface for 14 days, in which an operator can restore
-- it; then `erased_at` records that its content was deleted. The row stays, for its invoices and to reserve its slug.
ALTER TABLE "teams"
    ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
    ADD COLUMN "erased_at" TIMESTAMPTZ(3);

ALTER TABLE "teams"
    ADD CONSTRAINT "teams_erased_after_deleted" CHECK ("erased_at" IS NULL OR "deleted_at" IS NOT NULL);

-- The clean-up job finds the teams to erase without reading the others.
CREATE INDEX "teams_to_erase" ON "teams"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;

-- A deleted team needs no owner, so that its last owner can delete their account. The row is locked before `deleted_at` is
-- read: the lock of a concurrent restoration is waited for, and its result counts.
CREATE OR REPLACE FUNCTION "members_last_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_deleted boolean;
BEGIN
    SELECT "deleted_at" IS NOT NULL INTO is_deleted FROM "teams" WHERE "id" = OLD."team_id" FOR NO KEY UPDATE;
    IF NOT FOUND OR is_deleted OR EXISTS (SELECT 1 FROM "members" WHERE "team_id" = OLD."team_id" AND "role" = 'owner') THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'team % would be left without an owner', OLD."team_id"
        USING ERRCODE = 'check_violation', TABLE = 'members', CONSTRAINT = 'members_last_owner';
END
$$;

-- Whoever deletes a team ends its pending invitations, and whoever restores one leaves it an owner: rules for every writer.
CREATE FUNCTION "teams_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."deleted_at" IS NOT NULL THEN
        UPDATE "invitations" SET "status" = 'revoked', "answered_at" = NEW."deleted_at" WHERE "team_id" = NEW."id" AND "status" = 'pending';
    ELSIF NOT EXISTS (SELECT 1 FROM "members" WHERE "team_id" = NEW."id" AND "role" = 'owner') THEN
        RAISE EXCEPTION 'team % would be restored without an owner', NEW."id"
            USING ERRCODE = 'check_violation', TABLE = 'members', CONSTRAINT = 'members_last_owner';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "teams_deleted"
    AFTER UPDATE OF "deleted_at" ON "teams"
    FOR EACH ROW WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL))
    EXECUTE FUNCTION "teams_deleted"();
