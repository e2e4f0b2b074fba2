CREATE TYPE "WebhookDisabledReason" AS ENUM ('request', 'failing', 'gone');

CREATE TYPE "WebhookDeliveryResult" AS ENUM ('delivered', 'failed');

CREATE TABLE "webhooks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "types" TEXT[] NOT NULL,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" "WebhookDisabledReason",
    "failing_since" TIMESTAMPTZ(3),
    "failed_events" INTEGER NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),
    "events_since" TIMESTAMPTZ(3) NOT NULL,
    "position_transaction_id" xid8 NOT NULL,
    "position_at" TIMESTAMPTZ(3) NOT NULL,
    "position_id" UUID NOT NULL,
    "position_part" SMALLINT NOT NULL,
    "worker" UUID,
    "worked_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhooks_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "webhooks_team_id_created_at_id_idx" ON "webhooks"("team_id", "created_at", "id");

CREATE INDEX "webhooks_worked_until_idx" ON "webhooks"("worked_until");

CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "webhook_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "entry_id" UUID,
    "part" SMALLINT NOT NULL,
    "attempt" SMALLINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "result" "WebhookDeliveryResult" NOT NULL,
    "status" SMALLINT,
    "latency_milliseconds" INTEGER NOT NULL,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "webhook_deliveries_webhook_id_at_id_idx" ON "webhook_deliveries"("webhook_id", "at", "id");

CREATE INDEX "webhook_deliveries_webhook_id_entry_id_part_idx" ON "webhook_deliveries"("webhook_id", "entry_id", "part");

CREATE INDEX "webhook_deliveries_at_idx" ON "webhook_deliveries"("at");

CREATE TABLE "webhook_retries" (
    "webhook_id" UUID NOT NULL,
    "entry_id" UUID NOT NULL,
    "part" SMALLINT NOT NULL,
    "attempts" SMALLINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_retries_pkey" PRIMARY KEY ("webhook_id", "entry_id", "part"),
    CONSTRAINT "webhook_retries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "webhook_retries_webhook_id_due_at_idx" ON "webhook_retries"("webhook_id", "due_at");

CREATE INDEX "webhook_retries_due_at_idx" ON "webhook_retries"("due_at");

-- The entries of all teams in the order in which they are delivered.
CREATE INDEX "audit_entries_transaction_id_at_id_idx" ON "audit_entries"("transaction_id", "at", "id");
