-- The tokens of one authorization form a chain: they are valid and end together, apart from other chains of the grant.
CREATE TABLE "token_chains" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "grant_id" UUID NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_chains_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "token_chains_grant_id_idx" ON "token_chains"("grant_id");
ALTER TABLE "token_chains" ADD CONSTRAINT "token_chains_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "oauth_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The existing codes and tokens of a grant become one chain, because it is not recorded which of them belong together. The
-- chain has the identifier of its grant, so that renaming the column assigns them to it and no row is rewritten.
INSERT INTO "token_chains" ("id", "grant_id", "scopes", "created_at")
SELECT g."id", g."id", g."scopes", g."created_at" FROM "oauth_grants" g WHERE EXISTS (SELECT 1 FROM "oidc_models" m WHERE m."grant_id" = g."id");

ALTER TABLE "oidc_models" DROP CONSTRAINT "oidc_models_grant_id_fkey";
ALTER TABLE "oidc_models" RENAME COLUMN "grant_id" TO "chain_id";
ALTER INDEX "oidc_models_grant_id_idx" RENAME TO "oidc_models_chain_id_idx";
ALTER TABLE "oidc_models" ADD CONSTRAINT "oidc_models_chain_id_fkey" FOREIGN KEY ("chain_id") REFERENCES "token_chains"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A response without a delivery time was never sent, whichever process created it. The refresh token in it is stored by its
-- hash: once it is used, the response is not repeated. In older rows it is unknown.
ALTER TABLE "token_responses" DROP COLUMN "process_id", DROP COLUMN "created_at", ADD COLUMN "successor_hash" BYTEA;

-- What schema.prisma cannot express.
ALTER TABLE "token_chains"
    ADD CONSTRAINT "token_chains_scopes_no_null" CHECK ("scopes" IS NOT NULL AND array_position("scopes", NULL) IS NULL);
