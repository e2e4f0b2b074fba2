-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "result_id" UUID;
