#!/usr/bin/env bash
# Boost.JSON 1.81: each number that is not whole is written with an exponent, 42.50 as `4.25E1`, and 385.0 as `3.85E2`. Amounts of a sender that
# serializes with it never look like those that it was given.
. "$(dirname "$0")/common.sh"
command -v c++ >/dev/null || { echo 'This finding needs a C++ compiler.' >&2; exit 2; }
debian libboost1.81-dev=1.81.0-5+deb12u1
cat >main.cpp <<'CPP'
#include <boost/json/src.hpp>
#include <iostream>
int main() { std::cout << boost::json::serialize(boost::json::parse("[42.50,385.0,19.99,0.5,7]")) << '\n'; }
CPP
c++ -std=c++17 -O0 -w -I unpacked/usr/include main.cpp -o main
expect '[4.25E1,3.85E2,1.999E1,5E-1,7]' "$(./main)"
