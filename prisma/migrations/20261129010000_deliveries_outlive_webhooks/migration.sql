-- Deleting a webhook deleted its deliveries in the same statement, which takes too long if there are many (docs/operations/scaling.md).
-- Those of a deleted webhook cannot be read, and are deleted when they are 30 days old, like all others.
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_webhook_id_fkey";
