// What Swift cannot import from the C libraries and the kernel, and nothing else: no logic lives here.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "process_shim.h"
#include "socket_shim.h"
#include "CShimQUIC.h"
