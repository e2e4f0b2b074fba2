-- The failing webhooks of all teams, which staff see (schema/staff/service/read-service.ts).
CREATE INDEX "webhooks_failing" ON "webhooks" ("failing_since") WHERE "failing_since" IS NOT NULL AND "disabled_at" IS NULL;
