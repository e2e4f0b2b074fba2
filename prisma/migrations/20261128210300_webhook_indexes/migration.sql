-- What a process works on, which it leaves when it ends. The indexes contain few of the webhooks.
CREATE INDEX "webhooks_of_worker" ON "webhooks" ("worker") WHERE "worker" IS NOT NULL;

-- The webhooks whose owners get an email, and those that are disabled (schema/webhooks/failing.ts).
CREATE INDEX "webhooks_to_warn_about" ON "webhooks" ("failing_since")
    WHERE "failing_since" IS NOT NULL AND "disabled_at" IS NULL AND "warned_at" IS NULL;
CREATE INDEX "webhooks_to_disable" ON "webhooks" ("failing_since")
    WHERE "failing_since" IS NOT NULL AND "disabled_at" IS NULL AND "failed_events" >= 10;
