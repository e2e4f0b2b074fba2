CREATE SCHEMA IF NOT EXISTS "public";

CREATE TYPE "Role" AS ENUM ('owner', 'member', 'billing');

CREATE TYPE "Application" AS ENUM ('domain', 'cert', 'deploy', 'shortener', 'flow', 'backup', 'socket', 'billing');

CREATE TYPE "ConnectedAppStatus" AS ENUM ('active', 'suspended');

CREATE TYPE "InvoiceStatus" AS ENUM ('open', 'paid', 'uncollectible', 'void');

CREATE TYPE "InvitationStatus" AS ENUM ('pending', 'accepted', 'declined', 'revoked', 'expired');

CREATE TYPE "TokenKind" AS ENUM ('personal', 'team');

CREATE TYPE "ClientTeam" AS ENUM ('none', 'optional', 'required');

CREATE TYPE "DateFormat" AS ENUM ('day_month_year', 'month_day_year', 'year_month_day');

CREATE TYPE "MailLinkKind" AS ENUM ('verify_email', 'change_email', 'reset_password');

CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "totp_secret" BYTEA,
    "totp_last_step" INTEGER,
    "timezone" TEXT,
    "date_format" "DateFormat" NOT NULL DEFAULT 'day_month_year',
    "staff" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "last_active_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "teams" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT,
    "gravatar_email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "two_factor_required_at" TIMESTAMPTZ(3),

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "members" (
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "Role" NOT NULL,
    "all_applications" BOOLEAN NOT NULL DEFAULT true,
    "applications" "Application"[] DEFAULT ARRAY[]::"Application"[],
    "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "person" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "members_pkey" PRIMARY KEY ("team_id","user_id")
);

CREATE TABLE "invitations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "all_applications" BOOLEAN NOT NULL DEFAULT true,
    "applications" "Application"[] DEFAULT ARRAY[]::"Application"[],
    "status" "InvitationStatus" NOT NULL DEFAULT 'pending',
    "token_hash" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "invited_by_id" UUID,
    "invited_by_token_id" UUID,
    "accepted_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "connected_apps" (
    "team_id" UUID NOT NULL,
    "application" "Application" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "url" TEXT,
    "status" "ConnectedAppStatus" NOT NULL DEFAULT 'active',
    "connected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connected_apps_pkey" PRIMARY KEY ("team_id","application")
);

CREATE TABLE "invoices" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "application" "Application",
    "status" "InvoiceStatus" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL DEFAULT 0,
    "amount_paid" BIGINT NOT NULL DEFAULT 0,
    "invoice_date" DATE NOT NULL,
    "due_date" DATE,
    "paid_at" TIMESTAMPTZ(3),
    "period_start" DATE,
    "period_end" DATE,

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "invoice_lines" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "invoice_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "application" "Application",
    "description" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "unit_amount" BIGINT NOT NULL,
    "period_start" DATE,
    "period_end" DATE,

    CONSTRAINT "invoice_lines_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "access_tokens" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" "TokenKind" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last_four" TEXT,
    "scopes" TEXT[],
    "user_id" UUID,
    "team_id" UUID,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "team_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "revoked_team_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "previous_hash" BYTEA,
    "previous_last_four" TEXT,
    "previous_expires_at" TIMESTAMPTZ(3),
    "rotation_key" UUID,
    "expiry_notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oauth_clients" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "redirect_uris" TEXT[],
    "confidential" BOOLEAN NOT NULL,
    "grant_types" TEXT[],
    "required_scopes" TEXT[],
    "optional_scopes" TEXT[],
    "team" "ClientTeam" NOT NULL DEFAULT 'none',
    "refresh_replay_seconds" INTEGER NOT NULL DEFAULT 0,
    "logo_uri" TEXT,
    "publisher" TEXT,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "client_uri" TEXT,
    "policy_uri" TEXT,
    "tos_uri" TEXT,
    "post_logout_redirect_uris" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "backchannel_logout_uri" TEXT,
    "id_token_algorithm" TEXT NOT NULL DEFAULT 'ES256',
    "dpop_bound_access_tokens" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oauth_client_secrets" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "oauth_client_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_client_secrets_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oauth_grants" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "oauth_client_id" UUID NOT NULL,
    "team_id" UUID,
    "scopes" TEXT[],
    "declined_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "revoked_team_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "token_chains" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "grant_id" UUID NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_chains_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oidc_models" (
    "id_hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "chain_id" UUID,
    "uid_hash" BYTEA,
    "user_code_hash" BYTEA,
    "network_hash" BYTEA,
    "consumed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oidc_models_pkey" PRIMARY KEY ("id_hash")
);

CREATE TABLE "token_responses" (
    "model_hash" BYTEA NOT NULL,
    "encrypted" BYTEA NOT NULL,
    "successor_hash" BYTEA,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_responses_pkey" PRIMARY KEY ("model_hash")
);

CREATE TABLE "sessions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "uid_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "methods" TEXT[] NOT NULL,
    "skipped_second_factor" BOOLEAN NOT NULL DEFAULT false,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "mail_links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" "MailLinkKind" NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_links_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "recovery_codes" (
    "hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("hash")
);

CREATE TABLE "passkeys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[] NOT NULL,
    "is_backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "trusted_devices" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "trusted_devices_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idempotency_keys" (
    "key_hash" BYTEA NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("key_hash")
);

-- Counts of the current minute, which a crash may lose.
CREATE UNLOGGED TABLE "request_counts" (
    "credential_id" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL DEFAULT 0,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_counts_pkey" PRIMARY KEY ("credential_id")
);

CREATE TABLE "team_counts" (
    "id" BIGSERIAL NOT NULL,
    "team_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "team_counts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "attempt_counts" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "attempt_counts_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "encrypted_private_jwk" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "signs_from" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_user_id" UUID,
    "actor_name" TEXT NOT NULL,
    "authentication_method" TEXT NOT NULL,
    "credential_id" TEXT,
    "team_id" UUID,
    "subject" TEXT NOT NULL,
    "subject_name" TEXT,
    "before" JSONB,
    "after" JSONB,
    "request_id" TEXT NOT NULL,
    "transaction_id" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "periodic_work" (
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "periodic_work_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "erasures" (
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reached_id" UUID,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "team_event_streams" (
    "team_id" UUID NOT NULL,
    "open_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_event_streams_pkey" PRIMARY KEY ("team_id")
);

CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

CREATE UNIQUE INDEX "teams_slug_key" ON "teams"("slug");

CREATE INDEX "members_team_id_joined_at_user_id_idx" ON "members"("team_id", "joined_at", "user_id");

CREATE INDEX "members_team_id_role_joined_at_user_id_idx" ON "members"("team_id", "role", "joined_at", "user_id");

CREATE INDEX "members_team_id_person_user_id_idx" ON "members"("team_id", "person", "user_id");

CREATE INDEX "members_user_id_team_id_idx" ON "members"("user_id", "team_id");

CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

CREATE INDEX "invitations_team_id_created_at_id_idx" ON "invitations"("team_id", "created_at", "id");

CREATE INDEX "invitations_email_idx" ON "invitations"("email");

CREATE INDEX "invoices_team_id_invoice_date_id_idx" ON "invoices"("team_id", "invoice_date", "id");

CREATE INDEX "invoices_team_id_application_invoice_date_id_idx" ON "invoices"("team_id", "application", "invoice_date", "id");

CREATE UNIQUE INDEX "invoices_team_id_number_key" ON "invoices"("team_id", "number");

CREATE UNIQUE INDEX "invoice_lines_invoice_id_position_key" ON "invoice_lines"("invoice_id", "position");

CREATE UNIQUE INDEX "access_tokens_hash_key" ON "access_tokens"("hash");

CREATE UNIQUE INDEX "access_tokens_previous_hash_key" ON "access_tokens"("previous_hash");

CREATE INDEX "access_tokens_team_id_created_at_id_idx" ON "access_tokens"("team_id", "created_at", "id");

CREATE INDEX "access_tokens_user_id_created_at_id_idx" ON "access_tokens"("user_id", "created_at", "id");

CREATE INDEX "access_tokens_created_by_id_idx" ON "access_tokens"("created_by_id");

CREATE INDEX "access_tokens_created_at_id_idx" ON "access_tokens"("created_at", "id");

CREATE UNIQUE INDEX "oauth_clients_client_id_key" ON "oauth_clients"("client_id");

CREATE UNIQUE INDEX "oauth_client_secrets_hash_key" ON "oauth_client_secrets"("hash");

CREATE INDEX "oauth_client_secrets_oauth_client_id_idx" ON "oauth_client_secrets"("oauth_client_id");

CREATE INDEX "oauth_grants_user_id_idx" ON "oauth_grants"("user_id");

CREATE INDEX "oauth_grants_oauth_client_id_idx" ON "oauth_grants"("oauth_client_id");

CREATE INDEX "oauth_grants_team_id_created_at_id_idx" ON "oauth_grants"("team_id", "created_at", "id");

CREATE INDEX "token_chains_grant_id_idx" ON "token_chains"("grant_id");

CREATE UNIQUE INDEX "oidc_models_uid_hash_key" ON "oidc_models"("uid_hash");

CREATE UNIQUE INDEX "oidc_models_user_code_hash_key" ON "oidc_models"("user_code_hash");

CREATE INDEX "oidc_models_chain_id_idx" ON "oidc_models"("chain_id");

CREATE INDEX "oidc_models_expires_at_idx" ON "oidc_models"("expires_at");

CREATE UNIQUE INDEX "sessions_uid_hash_key" ON "sessions"("uid_hash");

CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

CREATE UNIQUE INDEX "mail_links_token_hash_key" ON "mail_links"("token_hash");

CREATE INDEX "mail_links_user_id_kind_created_at_idx" ON "mail_links"("user_id", "kind", "created_at");

CREATE INDEX "mail_links_expires_at_idx" ON "mail_links"("expires_at");

CREATE INDEX "recovery_codes_user_id_idx" ON "recovery_codes"("user_id");

CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

CREATE UNIQUE INDEX "trusted_devices_hash_key" ON "trusted_devices"("hash");

CREATE INDEX "trusted_devices_user_id_idx" ON "trusted_devices"("user_id");

CREATE INDEX "trusted_devices_expires_at_idx" ON "trusted_devices"("expires_at");

CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

CREATE INDEX "request_counts_ends_at_idx" ON "request_counts"("ends_at");

CREATE INDEX "team_counts_team_id_list_key_idx" ON "team_counts"("team_id", "list", "key");

CREATE INDEX "attempt_counts_expire_idx" ON "attempt_counts"("expire");

CREATE INDEX "audit_entries_actor_user_id_team_id_at_idx" ON "audit_entries"("actor_user_id", "team_id", "at");

CREATE INDEX "audit_entries_team_id_at_id_idx" ON "audit_entries"("team_id", "at", "id");

CREATE INDEX "audit_entries_team_id_transaction_id_at_id_idx" ON "audit_entries"("team_id", "transaction_id", "at", "id");

CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries"("at", "id");

CREATE INDEX "audit_entries_subject_team_id_idx" ON "audit_entries"("subject", "team_id");

ALTER TABLE "members" ADD CONSTRAINT "members_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "invitations" ADD CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_token_id_fkey" FOREIGN KEY ("invited_by_token_id") REFERENCES "access_tokens"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_id_fkey" FOREIGN KEY ("accepted_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "connected_apps" ADD CONSTRAINT "connected_apps_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "invoices" ADD CONSTRAINT "invoices_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "oauth_client_secrets" ADD CONSTRAINT "oauth_client_secrets_oauth_client_id_fkey" FOREIGN KEY ("oauth_client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_oauth_client_id_fkey" FOREIGN KEY ("oauth_client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "token_chains" ADD CONSTRAINT "token_chains_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "oauth_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "oidc_models" ADD CONSTRAINT "oidc_models_chain_id_fkey" FOREIGN KEY ("chain_id") REFERENCES "token_chains"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "token_responses" ADD CONSTRAINT "token_responses_model_hash_fkey" FOREIGN KEY ("model_hash") REFERENCES "oidc_models"("id_hash") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_uid_hash_fkey" FOREIGN KEY ("uid_hash") REFERENCES "oidc_models"("uid_hash") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "mail_links" ADD CONSTRAINT "mail_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "trusted_devices" ADD CONSTRAINT "trusted_devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the Prisma schema language cannot express.

-- Checks. Hashes are SHA-256, money stays below 2^53, and lists contain no NULL: Prisma would read it as an empty list.
ALTER TABLE "access_tokens"
    ADD CONSTRAINT "access_tokens_hash_length" CHECK ((octet_length(hash) = 32)),
    ADD CONSTRAINT "access_tokens_last_four_length" CHECK ((char_length(last_four) = 4)),
    ADD CONSTRAINT "access_tokens_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255))),
    ADD CONSTRAINT "access_tokens_owner" CHECK (
CASE kind
    WHEN 'personal'::"TokenKind" THEN ((user_id IS NOT NULL) AND (team_id IS NULL) AND (expires_at IS NOT NULL))
    WHEN 'team'::"TokenKind" THEN ((team_id IS NOT NULL) AND (user_id IS NULL))
    ELSE NULL::boolean
END),
    ADD CONSTRAINT "access_tokens_previous_hash_length" CHECK ((octet_length(previous_hash) = 32)),
    ADD CONSTRAINT "access_tokens_revoked_team_ids_no_null" CHECK ((array_position(revoked_team_ids, NULL::uuid) IS NULL)),
    ADD CONSTRAINT "access_tokens_scopes_no_null" CHECK (((scopes IS NOT NULL) AND (array_position(scopes, NULL::text) IS NULL)));

ALTER TABLE "connected_apps"
    ADD CONSTRAINT "connected_apps_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)));

ALTER TABLE "invitations"
    ADD CONSTRAINT "invitations_all_applications_without_list" CHECK (((NOT all_applications) OR (applications = '{}'::"Application"[]))),
    ADD CONSTRAINT "invitations_applications_no_null" CHECK (((applications IS NOT NULL) AND (array_position(applications, NULL::"Application") IS NULL))),
    ADD CONSTRAINT "invitations_email_length" CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
    ADD CONSTRAINT "invitations_email_normalised" CHECK ((email = lower((btrim(email) COLLATE "C")))),
    ADD CONSTRAINT "invitations_token_hash_length" CHECK ((octet_length(token_hash) = 32));

ALTER TABLE "invoice_lines"
    ADD CONSTRAINT "invoice_lines_amount_range" CHECK (((((unit_amount)::numeric * (quantity)::numeric) >= ('-9007199254740991'::bigint)::numeric) AND (((unit_amount)::numeric * (quantity)::numeric) <= ('9007199254740991'::bigint)::numeric))),
    ADD CONSTRAINT "invoice_lines_period_order" CHECK ((period_end >= period_start)),
    ADD CONSTRAINT "invoice_lines_position_range" CHECK (("position" >= 0)),
    ADD CONSTRAINT "invoice_lines_quantity_range" CHECK ((quantity >= 0)),
    ADD CONSTRAINT "invoice_lines_unit_amount_range" CHECK (((unit_amount >= '-9007199254740991'::bigint) AND (unit_amount <= '9007199254740991'::bigint)));

ALTER TABLE "invoices"
    ADD CONSTRAINT "invoices_amount_due_range" CHECK (((((subtotal)::numeric + (tax)::numeric) - (amount_paid)::numeric) >= ('-9007199254740991'::bigint)::numeric)),
    ADD CONSTRAINT "invoices_amount_paid_range" CHECK (((amount_paid >= 0) AND (amount_paid <= '9007199254740991'::bigint))),
    ADD CONSTRAINT "invoices_currency_form" CHECK ((currency ~ '^[a-z]{3}$'::text)),
    ADD CONSTRAINT "invoices_number_length" CHECK (((char_length(number) >= 1) AND (char_length(number) <= 255))),
    ADD CONSTRAINT "invoices_period_order" CHECK ((period_end >= period_start)),
    ADD CONSTRAINT "invoices_subtotal_range" CHECK (((subtotal >= '-9007199254740991'::bigint) AND (subtotal <= '9007199254740991'::bigint))),
    ADD CONSTRAINT "invoices_tax_range" CHECK (((tax >= 0) AND (tax <= '9007199254740991'::bigint))),
    ADD CONSTRAINT "invoices_total_range" CHECK (((((subtotal)::numeric + (tax)::numeric) >= ('-9007199254740991'::bigint)::numeric) AND (((subtotal)::numeric + (tax)::numeric) <= ('9007199254740991'::bigint)::numeric)));

ALTER TABLE "members"
    ADD CONSTRAINT "members_all_applications_without_list" CHECK (((NOT all_applications) OR (applications = '{}'::"Application"[]))),
    ADD CONSTRAINT "members_applications_no_null" CHECK (((applications IS NOT NULL) AND (array_position(applications, NULL::"Application") IS NULL)));

ALTER TABLE "oauth_client_secrets"
    ADD CONSTRAINT "oauth_client_secrets_hash_length" CHECK ((octet_length(hash) = 32));

ALTER TABLE "oauth_clients"
    ADD CONSTRAINT "oauth_clients_grant_types_no_null" CHECK (((grant_types IS NOT NULL) AND (array_position(grant_types, NULL::text) IS NULL))),
    ADD CONSTRAINT "oauth_clients_id_token_algorithm_known" CHECK ((id_token_algorithm = ANY (ARRAY['ES256'::text, 'RS256'::text]))),
    ADD CONSTRAINT "oauth_clients_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255))),
    ADD CONSTRAINT "oauth_clients_optional_scopes_no_null" CHECK (((optional_scopes IS NOT NULL) AND (array_position(optional_scopes, NULL::text) IS NULL))),
    ADD CONSTRAINT "oauth_clients_post_logout_redirect_uris_no_null" CHECK (((post_logout_redirect_uris IS NOT NULL) AND (array_position(post_logout_redirect_uris, NULL::text) IS NULL))),
    ADD CONSTRAINT "oauth_clients_redirect_uris_no_null" CHECK (((redirect_uris IS NOT NULL) AND (array_position(redirect_uris, NULL::text) IS NULL))),
    ADD CONSTRAINT "oauth_clients_refresh_replay_seconds_range" CHECK (((refresh_replay_seconds >= 0) AND (refresh_replay_seconds <= 120))),
    ADD CONSTRAINT "oauth_clients_required_scopes_no_null" CHECK (((required_scopes IS NOT NULL) AND (array_position(required_scopes, NULL::text) IS NULL)));

ALTER TABLE "oauth_grants"
    ADD CONSTRAINT "oauth_grants_declined_scopes_no_null" CHECK (((declined_scopes IS NOT NULL) AND (array_position(declined_scopes, NULL::text) IS NULL))),
    ADD CONSTRAINT "oauth_grants_revoked_team_ids_no_null" CHECK ((array_position(revoked_team_ids, NULL::uuid) IS NULL)),
    ADD CONSTRAINT "oauth_grants_scopes_no_null" CHECK (((scopes IS NOT NULL) AND (array_position(scopes, NULL::text) IS NULL)));

ALTER TABLE "oidc_models"
    ADD CONSTRAINT "oidc_models_hash_lengths" CHECK (((octet_length(id_hash) = 32) AND (COALESCE(octet_length(uid_hash), 32) = 32) AND (COALESCE(octet_length(user_code_hash), 32) = 32)));

ALTER TABLE "passkeys"
    ADD CONSTRAINT "passkeys_transports_no_null" CHECK ((array_position(transports, NULL::text) IS NULL));

ALTER TABLE "sessions"
    ADD CONSTRAINT "sessions_methods_no_null" CHECK ((array_position(methods, NULL::text) IS NULL));

ALTER TABLE "teams"
    ADD CONSTRAINT "teams_erased_after_deleted" CHECK (((erased_at IS NULL) OR (deleted_at IS NOT NULL))),
    ADD CONSTRAINT "teams_gravatar_email_length" CHECK (((char_length(gravatar_email) >= 3) AND (char_length(gravatar_email) <= 254))),
    ADD CONSTRAINT "teams_gravatar_email_normalised" CHECK ((gravatar_email = lower((btrim(gravatar_email) COLLATE "C")))),
    ADD CONSTRAINT "teams_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255))),
    ADD CONSTRAINT "teams_slug_form" CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
    ADD CONSTRAINT "teams_slug_length" CHECK ((char_length(slug) <= 64));

ALTER TABLE "token_chains"
    ADD CONSTRAINT "token_chains_scopes_no_null" CHECK (((scopes IS NOT NULL) AND (array_position(scopes, NULL::text) IS NULL)));

ALTER TABLE "users"
    ADD CONSTRAINT "users_email_length" CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
    ADD CONSTRAINT "users_email_normalised" CHECK ((email = lower((btrim(email) COLLATE "C")))),
    ADD CONSTRAINT "users_name_length" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 255)));

-- Indexes of some rows, or of expressions.

CREATE INDEX "access_tokens_ended" ON "access_tokens" (least("expires_at", "revoked_at"));

CREATE INDEX "access_tokens_to_notify" ON "access_tokens" ("expires_at")
  WHERE "expires_at" IS NOT NULL AND "revoked_at" IS NULL AND "expiry_notified_at" IS NULL;

CREATE INDEX "audit_entries_teams_created" ON "audit_entries"("actor_user_id", "at") WHERE "action" = 'createTeam';

CREATE INDEX "invitations_ended" ON "invitations" (coalesce("answered_at", "expires_at"));

-- Inviting an address again renews its invitation; two requests at once must not make two live links.
CREATE UNIQUE INDEX "invitations_one_pending" ON "invitations"("team_id", "email") WHERE "status" = 'pending';

-- The pending invitations among the people of a team, in the default order.
CREATE INDEX "invitations_pending" ON "invitations"("team_id", "sent_at", "id") WHERE "status" = 'pending';

-- Of a client, a person gives one grant a team at most, and one without: consenting again extends it. One that was
-- revoked, or that an owner cut a team from, counts no more, so that a new consent never revives what was taken away.
CREATE UNIQUE INDEX "oauth_grants_one_a_team" ON "oauth_grants" ("user_id", "oauth_client_id", "team_id") NULLS NOT DISTINCT
    WHERE "revoked_at" IS NULL AND "revoked_team_ids" = '{}';

-- What the clean-up looks for every minute.
CREATE INDEX "oauth_grants_over" ON "oauth_grants" (least("expires_at", "revoked_at"));

CREATE INDEX "oidc_models_pending" ON "oidc_models"("expires_at") WHERE "network_hash" IS NOT NULL;

-- What schema.prisma cannot express: only interactions of browsers without a session have a network. The first index counts
-- those of one network, the second finds the oldest of all.
CREATE INDEX "oidc_models_pending_by_network" ON "oidc_models"("network_hash", "expires_at") WHERE "network_hash" IS NOT NULL;

CREATE INDEX "teams_by_gravatar_email" ON "teams" ("gravatar_email") WHERE "gravatar_email" IS NOT NULL;

-- The clean-up job finds the teams to erase without reading the others.
CREATE INDEX "teams_to_erase" ON "teams"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;

-- The users who have two-factor authentication: an authenticator app, or passkeys together with recovery codes. A user who added a passkey
-- to sign in without the password did not ask for a second factor.
CREATE VIEW "users_with_two_factor" AS
    SELECT u."id" FROM "users" u WHERE u."totp_secret" IS NOT NULL
        OR EXISTS (SELECT FROM "passkeys" WHERE "user_id" = u."id") AND EXISTS (SELECT FROM "recovery_codes" WHERE "user_id" = u."id");

CREATE INDEX "token_responses_delivered" ON "token_responses"("delivered_at") WHERE "delivered_at" IS NOT NULL;

-- Functions and triggers.

-- The kept name of a user: the name in lower case, a line feed, the address. What people are sorted by and searched in.
CREATE FUNCTION "kept_name"("name" TEXT, "email" TEXT) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT lower("name") || E'\n' || "email"
$$;

-- Adds to a count. It takes a row that no other transaction has changed, or else adds one: writers of one team never wait for
-- each other here and cannot deadlock, and there are as many rows as there were writers at the same time.
CREATE FUNCTION "add_to_team_count"(counted_team UUID, counted_list TEXT, counted_key TEXT, difference BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    free_row BIGINT;
BEGIN
    SELECT "id" INTO free_row FROM "team_counts"
        WHERE "team_id" = counted_team AND "list" = counted_list AND "key" = counted_key
        LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE "team_counts" SET "count" = "count" + difference WHERE "id" = free_row;
    ELSE
        -- A team that is being deleted has lost its counts before the rows of its lists are counted.
        INSERT INTO "team_counts" ("team_id", "list", "key", "count")
            SELECT counted_team, counted_list, counted_key, difference WHERE EXISTS (SELECT FROM "teams" WHERE "id" = counted_team);
    END IF;
END
$$;

-- A function for the statements of every request, which rarely need it: PostgreSQL prepares a subquery for each execution, even one that
-- is not reached.
CREATE FUNCTION "has_two_factor"("person" UUID) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "users_with_two_factor" WHERE "id" = "person");
END $$;

-- Audit entries are never altered, except by a function that sets this parameter while it runs. It protects against
-- mistakes, not against a user of the database who wants to alter them.
CREATE FUNCTION "audit_entries_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('audit.maintenance', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'audit entries are never altered'
        USING ERRCODE = 'restrict_violation', TABLE = 'audit_entries', CONSTRAINT = 'audit_entries_append_only';
END
$$;

CREATE TRIGGER "audit_entries_append_only"
    BEFORE UPDATE OR DELETE ON "audit_entries"
    FOR EACH STATEMENT
    EXECUTE FUNCTION "audit_entries_append_only"();

-- Deletes the entries from before a time, at most so many. Returns how many.
CREATE FUNCTION "delete_audit_entries"(earliest timestamptz, maximum integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    deleted integer;
BEGIN
    -- Not as a SET clause of the function, which only a superuser may create for such a parameter.
    PERFORM set_config('audit.maintenance', 'on', true);
    DELETE FROM "audit_entries" WHERE "id" = ANY (ARRAY(SELECT "id" FROM "audit_entries" WHERE "at" < earliest LIMIT maximum));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('audit.maintenance', 'off', true);
    RETURN deleted;
END
$$;

-- Once per statement: recovery codes are written ten at a time.
CREATE FUNCTION "end_trust_of_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "trusted_devices" WHERE "user_id" IN (SELECT "user_id" FROM changed);
    RETURN NULL;
END
$$;

CREATE TRIGGER "passkeys_added_end_trust" AFTER INSERT ON "passkeys"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();

CREATE TRIGGER "passkeys_deleted_end_trust" AFTER DELETE ON "passkeys"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();

CREATE TRIGGER "recovery_codes_added_end_trust" AFTER INSERT ON "recovery_codes"
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();

CREATE TRIGGER "recovery_codes_deleted_end_trust" AFTER DELETE ON "recovery_codes"
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "end_trust_of_changed"();

-- A change of what a user signs in with ends the trust in every browser, whichever path it takes: the account site, the command
-- line or an import. In the database, because a path that forgot it would leave a way around the second factor.
CREATE FUNCTION "end_trust_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "trusted_devices" WHERE "user_id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE TRIGGER "users_end_trust" AFTER UPDATE OF "password_hash", "totp_secret", "disabled_at" ON "users"
    FOR EACH ROW WHEN (
        OLD."password_hash" IS DISTINCT FROM NEW."password_hash"
        OR OLD."totp_secret" IS DISTINCT FROM NEW."totp_secret"
        OR OLD."disabled_at" IS DISTINCT FROM NEW."disabled_at"
    ) EXECUTE FUNCTION "end_trust_of_user"();

-- Replaces the name and the address of the user whose account was deleted first, in so many audit entries at most, by a pseudonym.
-- Returns the number of entries that it has read, or the maximum if there is more to do. An account that was deleted a moment ago
-- waits: a change of another user that names it may not be committed yet.
CREATE FUNCTION "erase_deleted_users"(present timestamptz, maximum integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    person "erasures";
    pseudonym text;
    address text;
    erased text;
    named text;
    renamed text;
    ids uuid[];
BEGIN
    SELECT * INTO person FROM "erasures" WHERE "requested_at" < present - interval '1 minute'
        ORDER BY "requested_at" LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    -- Not as a SET clause of the function, which only a superuser may create for such a parameter.
    PERFORM set_config('audit.maintenance', 'on', true);
    pseudonym := 'Deleted user ' || left(person."user_id"::text, 8);
    -- With the quotation marks of JSON: an address can be the end of another one.
    address := to_json(person."email")::text;
    erased := to_json(pseudonym)::text;
    named := '"name": ' || to_json(person."name")::text;
    renamed := '"name": ' || to_json(pseudonym)::text;
    IF person."reached_id" IS NULL THEN
        DELETE FROM "invitations" WHERE "email" = person."email";
        UPDATE "teams" SET "gravatar_email" = NULL WHERE "gravatar_email" = person."email";
    END IF;
    ids := ARRAY(SELECT "id" FROM "audit_entries" WHERE "id" > coalesce(person."reached_id", '00000000-0000-0000-0000-000000000000') ORDER BY "id" LIMIT maximum);
    -- Entries of no team are about the account alone: of these, nothing but the action remains.
    UPDATE "audit_entries" e SET
        "actor_name" = CASE WHEN e."actor_user_id" = person."user_id" THEN pseudonym ELSE e."actor_name" END,
        "subject" = CASE WHEN e."subject" = person."email" THEN pseudonym ELSE e."subject" END,
        "subject_name" = CASE
            WHEN e."subject_name" IS NULL THEN NULL
            WHEN e."team_id" IS NULL OR e."subject" IN (person."user_id"::text, person."email") THEN pseudonym
            WHEN e."subject_name" = person."email" THEN pseudonym
            ELSE e."subject_name" END,
        "before" = CASE WHEN e."team_id" IS NULL THEN NULL
            ELSE replace(replace(e."before"::text, address, erased), named, renamed)::jsonb END,
        "after" = CASE WHEN e."team_id" IS NULL THEN NULL
            ELSE replace(replace(e."after"::text, address, erased), named, renamed)::jsonb END
    WHERE e."id" = ANY (ids) AND (
        e."actor_user_id" = person."user_id" OR e."subject" IN (person."user_id"::text, person."email") OR e."subject_name" = person."email"
        OR position(address IN coalesce(e."before"::text, '') || coalesce(e."after"::text, '')) > 0);
    IF cardinality(ids) = maximum THEN
        UPDATE "erasures" SET "reached_id" = ids[maximum] WHERE "user_id" = person."user_id";
        RETURN maximum;
    END IF;
    DELETE FROM "erasures" WHERE "user_id" = person."user_id";
    RETURN CASE WHEN EXISTS (SELECT FROM "erasures" WHERE "requested_at" < present - interval '1 minute') THEN maximum ELSE cardinality(ids) END;
END
$$;

CREATE FUNCTION "invoices_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "add_to_team_count"("team_id", 'invoices', coalesce("application"::text, ''), count(*))
            FROM new_rows GROUP BY "team_id", "application";
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM "add_to_team_count"("team_id", 'invoices', coalesce("application"::text, ''), -count(*))
            FROM old_rows GROUP BY "team_id", "application";
    ELSIF TG_OP = 'UPDATE' THEN
        PERFORM "add_to_team_count"("team_id", 'invoices', coalesce("application"::text, ''), sum(n)) FROM (
            SELECT "team_id", "application", 1 AS n FROM new_rows UNION ALL SELECT "team_id", "application", -1 FROM old_rows
        ) changed GROUP BY "team_id", "application" HAVING sum(n) <> 0;
    ELSE
        DELETE FROM "team_counts" WHERE "list" = 'invoices';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "invoices_counted_delete" AFTER DELETE ON "invoices" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();

CREATE TRIGGER "invoices_counted_insert" AFTER INSERT ON "invoices" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();

CREATE TRIGGER "invoices_counted_truncate" AFTER TRUNCATE ON "invoices"
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();

CREATE TRIGGER "invoices_counted_update" AFTER UPDATE ON "invoices" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "invoices_counted"();

-- One function for each list, because the statements name its columns. They run once per statement, not per row.
CREATE FUNCTION "members_counted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "add_to_team_count"("team_id", 'members', '', count(*)) FROM new_rows GROUP BY "team_id";
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM "add_to_team_count"("team_id", 'members', '', -count(*)) FROM old_rows GROUP BY "team_id";
    ELSIF TG_OP = 'UPDATE' THEN
        PERFORM "add_to_team_count"("team_id", 'members', '', sum(n)) FROM (
            SELECT "team_id", 1 AS n FROM new_rows UNION ALL SELECT "team_id", -1 FROM old_rows
        ) changed GROUP BY "team_id" HAVING sum(n) <> 0;
    ELSE
        DELETE FROM "team_counts" WHERE "list" = 'members';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "members_counted_delete" AFTER DELETE ON "members" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();

-- A trigger with transition tables has one event.
CREATE TRIGGER "members_counted_insert" AFTER INSERT ON "members" REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();

CREATE TRIGGER "members_counted_truncate" AFTER TRUNCATE ON "members"
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();

CREATE TRIGGER "members_counted_update" AFTER UPDATE ON "members" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "members_counted"();

-- Whether a team has an owner with an enabled account, other than the user "without". A disabled account can sign in to nothing, so it
-- does not count as an owner who remains.
CREATE FUNCTION "has_enabled_owner"("team" UUID, "without" UUID DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM "members" m JOIN "users" u ON u."id" = m."user_id"
        WHERE m."team_id" = "team" AND m."role" = 'owner' AND m."user_id" IS DISTINCT FROM "without" AND u."disabled_at" IS NULL);
END
$$;

-- A deleted team needs no owner, so that its last owner can delete their account. The row is locked before `deleted_at` is
-- read: the lock of a concurrent restoration is waited for, and its result counts.
-- A write that leaves the role owner as it was, such as the repeated import of a team whose owners are all disabled, takes no owner away.
CREATE FUNCTION "members_last_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE CONSTRAINT TRIGGER "members_last_owner"
    AFTER DELETE OR UPDATE OF "role", "team_id", "user_id" ON "members"
    DEFERRABLE INITIALLY IMMEDIATE
    FOR EACH ROW WHEN (OLD."role" = 'owner')
    EXECUTE FUNCTION "members_last_owner"();

-- The lock is that of the foreign key, but taken before the name is read: if another transaction renames the user, this one waits. Two
-- statements, because one that locks and reads would return the name from before it waited. Refuses a user who does not exist before the
-- foreign key does: one who is created between both would have no name.
CREATE FUNCTION "members_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."user_id" FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'user % does not exist', NEW."user_id"
            USING ERRCODE = 'foreign_key_violation', TABLE = 'members', CONSTRAINT = 'members_user_id_fkey';
    END IF;
    SELECT "kept_name"("name", "email") INTO NEW."person" FROM "users" WHERE "id" = NEW."user_id";
    RETURN NEW;
END
$$;

CREATE TRIGGER "members_person" BEFORE INSERT OR UPDATE OF "user_id", "person" ON "members"
    FOR EACH ROW EXECUTE FUNCTION "members_person"();

-- Notifies the processes that deliver the events of a team. Only if there are any: PostgreSQL commits transactions that notify one
-- after the other, and a change must not wait for others without need.
CREATE FUNCTION "notify_team_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM "team_event_streams" WHERE "team_id" = NEW."team_id" AND "open_until" > now()) THEN
        PERFORM pg_notify('team_events', NEW."team_id"::text);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "notify_team_event"
    AFTER INSERT ON "audit_entries"
    FOR EACH ROW WHEN (NEW."team_id" IS NOT NULL)
    EXECUTE FUNCTION "notify_team_event"();

-- After the deletions that a deleted team causes in its lists, which wait for other writers of these rows.
CREATE FUNCTION "teams_counts_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "team_counts" WHERE "team_id" IN (SELECT "id" FROM old_rows);
    RETURN NULL;
END
$$;

CREATE TRIGGER "teams_counts_deleted" AFTER DELETE ON "teams" REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "teams_counts_deleted"();

-- Deleting a team ends its pending invitations, and a restored team has an owner, whatever the code that writes.
CREATE FUNCTION "teams_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER "teams_deleted"
    AFTER UPDATE OF "deleted_at" ON "teams"
    FOR EACH ROW WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL))
    EXECUTE FUNCTION "teams_deleted"();

-- A trigger, so that every code path that deletes an account is covered.
CREATE FUNCTION "users_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "erasures" ("user_id", "email", "name") VALUES (OLD."id", OLD."email", OLD."name") ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER "users_deleted" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "users_deleted"();

CREATE FUNCTION "users_renamed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."id" FOR UPDATE;
    UPDATE "members" SET "person" = '' WHERE "user_id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE TRIGGER "users_renamed" AFTER UPDATE OF "name", "email" ON "users"
    FOR EACH ROW WHEN ("kept_name"(OLD."name", OLD."email") <> "kept_name"(NEW."name", NEW."email"))
    EXECUTE FUNCTION "users_renamed"();
