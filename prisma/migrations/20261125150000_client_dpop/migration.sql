-- Whether a client has to prove possession of a key with each token request.
ALTER TABLE "oauth_clients" ADD COLUMN "dpop_bound_access_tokens" BOOLEAN NOT NULL DEFAULT false;
