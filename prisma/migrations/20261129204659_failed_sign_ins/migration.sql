-- CreateTable
CREATE TABLE "failed_sign_ins" (
    "user_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "failed_sign_ins_pkey" PRIMARY KEY ("user_id","method","reason")
);

-- CreateIndex
CREATE INDEX "failed_sign_ins_last_at_idx" ON "failed_sign_ins"("last_at");

-- AddForeignKey
ALTER TABLE "failed_sign_ins" ADD CONSTRAINT "failed_sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
