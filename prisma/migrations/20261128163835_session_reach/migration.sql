-- AlterEnum
ALTER TYPE "MailLinkKind" ADD VALUE 'prove_account';

-- AlterTable
ALTER TABLE "passkeys" ADD COLUMN     "owner_access_team_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "own_proof" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "sign_in_requirement_set_at" TIMESTAMPTZ(3);

-- Sessions that began before at the provider of a team, without a password or a passkey.
UPDATE "sessions" SET "own_proof" = false WHERE "provider_ids" <> '{}' AND NOT "methods" && ARRAY['pwd', 'hwk'];

-- Accounts without an address belong to the team whose provider created them, as those with an address do.
UPDATE "users" u SET "created_by_team_id" = p."team_id" FROM "external_identities" i JOIN "identity_providers" p ON p."id" = i."provider_id"
    WHERE i."user_id" = u."id" AND i."created_at" = u."created_at" AND u."created_by_team_id" IS NULL AND u."email" = u."id" || '@no-address.invalid';

-- The teams that vouch for the user of a session: those whose identity providers it has signed in through.
CREATE FUNCTION "vouched_team_ids"("providers" UUID[]) RETURNS UUID[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN ARRAY(SELECT DISTINCT p."team_id" FROM "identity_providers" p WHERE p."id" = ANY ("providers") AND p."disabled_at" IS NULL);
END $$;

-- The teams that a session reaches in which the user has not proved the account: those that vouch for the user. NULL for all, if one of
-- these teams created the account and the account is a member of no other: then nothing else could be reached.
CREATE FUNCTION "limited_team_ids"("providers" UUID[], "person" UUID) RETURNS UUID[] LANGUAGE plpgsql STABLE AS $$
DECLARE
    "vouched" UUID[] := "vouched_team_ids"("providers");
BEGIN
    RETURN CASE WHEN EXISTS (SELECT FROM "users" u WHERE u."id" = "person" AND u."created_by_team_id" = ANY ("vouched")
        AND NOT EXISTS (SELECT FROM "members" m WHERE m."user_id" = u."id" AND m."team_id" <> u."created_by_team_id")) THEN NULL ELSE "vouched" END;
END $$;
