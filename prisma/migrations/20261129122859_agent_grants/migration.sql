-- Of a client, a person gives one grant a team at most, and one without; each identity provider gives one. They never extend each other.
CREATE UNIQUE INDEX "oauth_grants_one_a_team_and_provider" ON "oauth_grants" ("user_id", "oauth_client_id", "team_id", "provider_id") NULLS NOT DISTINCT
    WHERE "revoked_at" IS NULL AND "revoked_team_ids" = '{}';
DROP INDEX "oauth_grants_one_a_team";

-- Deleting a provider deletes its grants.
CREATE INDEX "oauth_grants_of_provider" ON "oauth_grants" ("provider_id") WHERE "provider_id" IS NOT NULL;

-- The providers that an assertion can be from.
CREATE INDEX "identity_providers_of_agents" ON "identity_providers" ("issuer") WHERE "agents_enabled_at" IS NOT NULL;

ALTER TABLE "identity_providers" VALIDATE CONSTRAINT "identity_providers_agent_client_ids_no_null";
ALTER TABLE "identity_providers" VALIDATE CONSTRAINT "identity_providers_agent_scopes_no_null";
ALTER TABLE "oauth_grants" VALIDATE CONSTRAINT "oauth_grants_provider_id_fkey";
