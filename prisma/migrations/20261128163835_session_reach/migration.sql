-- AlterEnum
ALTER TYPE "MailLinkKind" ADD VALUE 'prove_account';

-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN     "owner_access_team_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "own_proof" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "sign_in_requirement_set_at" TIMESTAMPTZ(3);

-- The default is that of the version before, in which every sign-in is a proof of the account: it has no providers of teams.
-- Sessions that began before at the provider of a team, without a password or a passkey.
UPDATE "sessions" SET "own_proof" = false WHERE "provider_ids" <> '{}' AND NOT "methods" && ARRAY['pwd', 'hwk'];

-- Accounts without an address belong to the team whose provider created them, as those with an address do.
UPDATE "users" u SET "created_by_team_id" = p."team_id" FROM "external_identities" i JOIN "identity_providers" p ON p."id" = i."provider_id"
    WHERE i."user_id" = u."id" AND i."created_at" BETWEEN u."created_at" AND u."created_at" + interval '10 seconds' AND u."created_by_team_id" IS NULL AND u."email" = u."id" || '@no-address.invalid';

-- The teams that vouch for the user of a session: those whose identity providers it has signed in through.
CREATE FUNCTION "vouched_team_ids"("providers" UUID[]) RETURNS UUID[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ARRAY(SELECT DISTINCT p."team_id" FROM "identity_providers" p WHERE p."id" = ANY ("providers") AND p."disabled_at" IS NULL);
END $$;

-- A requirement that exists is as old as it can be.
UPDATE "teams" SET "sign_in_requirement_set_at" = "sign_in_required_at" WHERE "sign_in_required_at" IS NOT NULL;

-- The teams that a session reaches in which the user has not proved the account: those that vouch for the user. NULL for all, if one of
-- these teams created the account and the account is a member of no other and not staff: then nothing else could be reached.
CREATE FUNCTION "limited_team_ids"("providers" UUID[], "person" UUID) RETURNS UUID[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    "vouched" UUID[] := "vouched_team_ids"("providers");
BEGIN
    RETURN CASE WHEN EXISTS (SELECT FROM "users" u WHERE u."id" = "person" AND u."created_by_team_id" = ANY ("vouched") AND NOT u."staff"
        AND NOT EXISTS (SELECT FROM "members" m WHERE m."user_id" = u."id" AND m."team_id" <> ALL ("vouched"))) THEN NULL ELSE "vouched" END;
END $$;

-- What a team's provider could make in an account that the team created does not reach the first other team that the account joins: from then
-- on the provider is not enough, and a personal token or a grant for all teams must not replace it.
CREATE FUNCTION "members_joined"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "joined" RECORD;
BEGIN
    FOR "joined" IN SELECT n."user_id", n."team_id", n."joined_at" FROM new_rows n JOIN "users" u ON u."id" = n."user_id"
        WHERE u."created_by_team_id" IS NOT NULL AND u."created_by_team_id" <> n."team_id" AND NOT EXISTS (
            SELECT FROM "members" m WHERE m."user_id" = u."id" AND m."team_id" NOT IN (u."created_by_team_id", n."team_id"))
    LOOP
        UPDATE "access_tokens" SET "revoked_team_ids" = "revoked_team_ids" || "joined"."team_id"
            WHERE "user_id" = "joined"."user_id" AND "revoked_at" IS NULL AND "created_at" < "joined"."joined_at"
            AND "joined"."team_id" <> ALL ("revoked_team_ids");
        UPDATE "oauth_grants" SET "revoked_team_ids" = "revoked_team_ids" || "joined"."team_id"
            WHERE "user_id" = "joined"."user_id" AND "revoked_at" IS NULL AND "created_at" < "joined"."joined_at"
            AND "joined"."team_id" <> ALL ("revoked_team_ids");
    END LOOP;
    RETURN NULL;
END $$;

CREATE TRIGGER "members_joined" AFTER INSERT ON "members" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_joined"();
