-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "billing_address" TEXT,
ADD COLUMN     "billing_name" TEXT,
ADD COLUMN     "invoice_recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "vat_id" TEXT;
