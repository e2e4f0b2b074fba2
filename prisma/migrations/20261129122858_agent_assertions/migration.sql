-- AlterTable
ALTER TABLE "identity_providers" ADD COLUMN     "agent_client_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "agent_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "agents_enabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "links_agents_by_address" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "identity_providers"
    ADD CONSTRAINT "identity_providers_agent_client_ids_no_null" CHECK ("agent_client_ids" IS NOT NULL AND array_position("agent_client_ids", NULL::text) IS NULL) NOT VALID,
    ADD CONSTRAINT "identity_providers_agent_scopes_no_null" CHECK ("agent_scopes" IS NOT NULL AND array_position("agent_scopes", NULL::text) IS NULL) NOT VALID;

-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN     "provider_id" UUID;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- The scopes that the identity provider of a team may give a client for a person. NULL if it gives this client or person no access now.
CREATE FUNCTION "vouched_scopes"("given_provider" UUID, "given_user" UUID, "given_client" TEXT) RETURNS TEXT[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT p."agent_scopes" FROM "identity_providers" p
        WHERE p."id" = "given_provider" AND p."disabled_at" IS NULL AND p."agents_enabled_at" IS NOT NULL AND "given_client" = ANY (p."agent_client_ids")
        AND EXISTS (SELECT FROM "team_domains" d WHERE d."team_id" = p."team_id" AND d."verified_at" IS NOT NULL)
        AND EXISTS (SELECT FROM "members" m WHERE m."team_id" = p."team_id" AND m."user_id" = "given_user")
        AND EXISTS (SELECT FROM "external_identities" i WHERE i."provider_id" = p."id" AND i."user_id" = "given_user"));
END $$;
