-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "client_name" TEXT;
