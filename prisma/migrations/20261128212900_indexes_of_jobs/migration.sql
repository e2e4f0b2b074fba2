-- What jobs and the metrics look for, without reading the other rows.
CREATE INDEX "oauth_client_secrets_ending" ON "oauth_client_secrets" ("expires_at") WHERE "expires_at" IS NOT NULL;
CREATE INDEX "oauth_clients_to_review" ON "oauth_clients" ("id") WHERE "state" = 'submitted' OR "proposed_changes" IS NOT NULL;

-- Verified domains whose record is missing are checked daily, the others weekly.
CREATE INDEX "team_domains_missing" ON "team_domains" ("checked_at") WHERE "missing_since" IS NOT NULL;

-- Deleting a user or a token looks for the references to it.
CREATE INDEX "invitations_invited_by" ON "invitations" ("invited_by_id") WHERE "invited_by_id" IS NOT NULL;
CREATE INDEX "invitations_invited_by_token" ON "invitations" ("invited_by_token_id") WHERE "invited_by_token_id" IS NOT NULL;
CREATE INDEX "invitations_accepted_by" ON "invitations" ("accepted_by_id") WHERE "accepted_by_id" IS NOT NULL;
