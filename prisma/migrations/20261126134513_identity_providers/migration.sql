-- CreateEnum
CREATE TYPE "IdentityProviderKind" AS ENUM ('oidc', 'saml');

-- CreateEnum
CREATE TYPE "SocialProvider" AS ENUM ('google', 'github', 'microsoft');

-- CreateEnum
CREATE TYPE "SignInPurpose" AS ENUM ('sign_in', 'confirm', 'link', 'test');

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "managed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "owner_access_team_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "provider_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "sign_in_provider_id" UUID,
ADD COLUMN     "sign_in_required_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "created_by_team_id" UUID;

-- CreateTable
CREATE TABLE "identity_providers" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "kind" "IdentityProviderKind" NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT,
    "client_secret" BYTEA,
    "sso_url" TEXT,
    "certificates" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "groups_claim" TEXT,
    "jit_role" "Role",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "tested_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "identity_providers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "external_identities" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "provider_id" UUID,
    "social" "SocialProvider",
    "subject" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sign_in_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "external_identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_requests" (
    "id" TEXT NOT NULL,
    "provider_id" UUID,
    "social" "SocialProvider",
    "purpose" "SignInPurpose" NOT NULL,
    "user_id" UUID,
    "browser_hash" BYTEA NOT NULL,
    "return_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),
    "answer" JSONB,

    CONSTRAINT "sign_in_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team_domains" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "verified_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "missing_since" TIMESTAMPTZ(3),

    CONSTRAINT "team_domains_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_roles" (
    "team_id" UUID NOT NULL,
    "group" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "all_applications" BOOLEAN NOT NULL DEFAULT true,
    "applications" "Application"[] DEFAULT ARRAY[]::"Application"[],

    CONSTRAINT "group_roles_pkey" PRIMARY KEY ("team_id","group")
);

-- CreateIndex
CREATE INDEX "identity_providers_team_id_created_at_id_idx" ON "identity_providers"("team_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "external_identities_user_id_provider_id_idx" ON "external_identities"("user_id", "provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "external_identities_provider_id_subject_key" ON "external_identities"("provider_id", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "external_identities_social_subject_key" ON "external_identities"("social", "subject");

-- CreateIndex
CREATE INDEX "sign_in_requests_expires_at_idx" ON "sign_in_requests"("expires_at");

-- CreateIndex
CREATE INDEX "sign_in_requests_user_id_idx" ON "sign_in_requests"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_requests_provider_id_idx" ON "sign_in_requests"("provider_id");

-- CreateIndex
CREATE INDEX "team_domains_domain_idx" ON "team_domains"("domain");

-- CreateIndex
CREATE INDEX "team_domains_checked_at_idx" ON "team_domains"("checked_at");

-- CreateIndex
CREATE UNIQUE INDEX "team_domains_team_id_domain_key" ON "team_domains"("team_id", "domain");

-- CreateIndex
CREATE INDEX "users_created_by_team_id_idx" ON "users"("created_by_team_id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_created_by_team_id_fkey" FOREIGN KEY ("created_by_team_id") REFERENCES "teams"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_identities" ADD CONSTRAINT "external_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_identities" ADD CONSTRAINT "external_identities_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_requests" ADD CONSTRAINT "sign_in_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_requests" ADD CONSTRAINT "sign_in_requests_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_domains" ADD CONSTRAINT "team_domains_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A domain can be claimed by several teams and belongs to the one that verified it first.
CREATE UNIQUE INDEX "team_domains_verified_domain_key" ON "team_domains" ("domain") WHERE "verified_at" IS NOT NULL;

-- What the Prisma schema language cannot express.
ALTER TABLE "external_identities" ADD CONSTRAINT "external_identities_one_provider" CHECK (("provider_id" IS NULL) <> ("social" IS NULL));
ALTER TABLE "sign_in_requests" ADD CONSTRAINT "sign_in_requests_one_provider" CHECK (("provider_id" IS NULL) <> ("social" IS NULL));
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_jit_role_not_owner" CHECK ("jit_role" <> 'owner');
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_not_owner" CHECK ("role" <> 'owner');

-- When a member who must sign in through a provider of the team last did: seconds since 1970, 0 for never. NULL for a member who
-- need not: the address is in none of the team's verified domains, and the member never used the provider.
CREATE FUNCTION "last_required_sign_in"("team" UUID, "provider" UUID, "person" UUID, "address" TEXT) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    "last_at" bigint := (SELECT extract(epoch FROM max(i."last_sign_in_at"))::bigint FROM "external_identities" i
        WHERE i."user_id" = "person" AND i."provider_id" = "provider");
BEGIN
    RETURN CASE WHEN "last_at" IS NOT NULL OR EXISTS (SELECT FROM "team_domains" d
        WHERE d."team_id" = "team" AND d."domain" = substring("address" FROM '[^@]*$') AND d."verified_at" IS NOT NULL)
        THEN coalesce("last_at", 0) END;
END $$;
