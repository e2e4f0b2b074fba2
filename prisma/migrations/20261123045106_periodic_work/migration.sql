-- CreateTable
CREATE TABLE "periodic_work" (
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "periodic_work_pkey" PRIMARY KEY ("name")
);
